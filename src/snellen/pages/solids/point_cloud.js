(() => {
  // Points and boxes in 3D on a plain canvas: metres, x forward, y left, z up.
  const EDGES = [0, 1, 2, 3].flatMap((i) => [[i, (i + 1) % 4], [i + 4, ((i + 1) % 4) + 4], [i, i + 4]]);
  const NEAR = 0.2;
  const LOW = -2;
  const HIGH = 1.5;
  const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

  const decoded = (text) => {
    const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
    const values = new DataView(bytes.buffer);
    const metres = new Float32Array(bytes.length / 2);
    for (let i = 0; i < metres.length; i++) metres[i] = values.getInt16(2 * i, true) / 100;
    return metres;
  };

  const begin = (box) => {
    const canvas = box.querySelector("canvas");
    const pen = canvas.getContext("2d", { alpha: false });
    if (!pen) return;
    const boxes = JSON.parse(box.dataset.boxes);
    let points = null;
    let depths = null;
    let asked = 0;
    const eye = {};

    const middle = (ends) => [0, 1, 2].map((axis) => ends.reduce((sum, end) => sum + end[axis], 0) / 8);
    const reset = () => {
      const loud = boxes.filter((one) => one.loud).map((one) => middle(one.ends));
      const found = loud.length ? loud : [[12, 0, -1]];
      const low = [0, 1, 2].map((axis) => Math.min(...found.map((one) => one[axis])));
      const high = [0, 1, 2].map((axis) => Math.max(...found.map((one) => one[axis])));
      eye.at = low.map((value, axis) => (value + high[axis]) / 2);
      eye.far = clamp(14 + 1.5 * Math.hypot(high[0] - low[0], high[1] - low[1]), 14, 90);
      eye.turn = 0;
      eye.tilt = 0.42;
    };

    // The camera's three axes, and where it is.
    const camera = (wide, tall) => {
      const [sa, ca, sp, cp] = [Math.sin(eye.turn), Math.cos(eye.turn), Math.sin(eye.tilt), Math.cos(eye.tilt)];
      const ahead = [cp * ca, cp * sa, -sp];
      return {
        right: [sa, -ca, 0],
        up: [sp * ca, sp * sa, cp],
        ahead,
        from: eye.at.map((value, axis) => value - eye.far * ahead[axis]),
        focal: 0.95 * Math.min(wide, 1.4 * tall),
        wide,
        tall,
      };
    };
    const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    const seen = (view, place) => {
      const from = place.map((value, axis) => value - view.from[axis]);
      return [dot(from, view.right), dot(from, view.up), dot(from, view.ahead)];
    };
    const flat = (view, [x, y, depth]) => [
      view.wide / 2 + (view.focal * x) / depth,
      view.tall / 2 - (view.focal * y) / depth,
    ];

    const shade = (name) => {
      const pixel = document.createElement("canvas").getContext("2d");
      pixel.fillStyle = getComputedStyle(box).getPropertyValue(name).trim() || "#888";
      pixel.fillRect(0, 0, 1, 1);
      return [...pixel.getImageData(0, 0, 1, 1).data];
    };
    let shades = null;
    const readShades = () => {
      const [paper, low, high, fresh] = ["--night", "--low", "--high", "--inserted"].map(shade);
      const word = (a, b, share) =>
        [0, 1, 2].reduce((sum, i) => sum + (Math.round(a[i] + (b[i] - a[i]) * share) << (8 * i)), 0) + 0xff000000;
      shades = {
        paper: word(paper, paper, 0) >>> 0,
        ramp: Array.from({ length: 64 }, (_, i) => word(low, high, i / 63) >>> 0),
        fresh: word(fresh, fresh, 0) >>> 0,
      };
    };

    const drawPoints = (view, scale) => {
      const image = pen.createImageData(view.wide, view.tall);
      const pixels = new Uint32Array(image.data.buffer).fill(shades.paper);
      if (!depths || depths.length !== pixels.length) depths = new Float32Array(pixels.length);
      depths.fill(Infinity);
      const fresh = points.length / 3 - Number(box.dataset.new);
      const { right: r, up: u, ahead: a, from: f } = view;
      for (let i = 0; i < points.length / 3; i++) {
        const x = points[3 * i] - f[0];
        const y = points[3 * i + 1] - f[1];
        const z = points[3 * i + 2] - f[2];
        const depth = x * a[0] + y * a[1] + z * a[2];
        if (depth < NEAR) continue;
        const column = Math.round(view.wide / 2 + (view.focal * (x * r[0] + y * r[1])) / depth);
        const row = Math.round(view.tall / 2 - (view.focal * (x * u[0] + y * u[1] + z * u[2])) / depth);
        const size = Math.max(1, Math.round(scale * (depth < 14 ? 2.6 : depth < 40 ? 1.7 : 1.1)));
        const share = clamp((points[3 * i + 2] - LOW) / (HIGH - LOW), 0, 1);
        const colour = i >= fresh ? shades.fresh : shades.ramp[Math.round(63 * share)];
        for (let down = 0; down < size; down++)
          for (let side = 0; side < size; side++) {
            const [px, py] = [column + side, row + down];
            if (px < 0 || py < 0 || px >= view.wide || py >= view.tall) continue;
            const place = py * view.wide + px;
            if (depth < depths[place]) {
              depths[place] = depth;
              pixels[place] = colour;
            }
          }
      }
      pen.putImageData(image, 0, 0);
    };

    const drawBox = (view, one, scale) => {
      const ends = one.ends.map((end) => seen(view, end));
      pen.strokeStyle = getComputedStyle(box).getPropertyValue(`--${one.kind}`).trim() || "#888";
      pen.lineWidth = (one.loud ? 2.2 : 1) * scale;
      pen.setLineDash(one.dashed ? [6 * scale, 5 * scale] : []);
      pen.beginPath();
      const line = (start, end) => {
        if (start[2] < NEAR && end[2] < NEAR) return;
        const cut = (a, b) => {
          if (a[2] >= NEAR) return a;
          const share = (NEAR - a[2]) / (b[2] - a[2]);
          return a.map((value, axis) => value + share * (b[axis] - value));
        };
        pen.moveTo(...flat(view, cut(start, end)));
        pen.lineTo(...flat(view, cut(end, start)));
      };
      for (const [i, j] of EDGES) line(ends[i], ends[j]);
      // The front: a line on the ground from the middle ahead.
      const mean = (...rows) => [0, 1, 2].map((axis) => rows.reduce((sum, row) => sum + row[axis], 0) / rows.length);
      line(mean(ends[0], ends[1], ends[2], ends[3]), mean(ends[0], ends[3]));
      pen.stroke();
    };

    const drawWord = (view, one, scale, taken) => {
      const top = one.ends.slice(4).map((end) => seen(view, end));
      if (!one.text || top.some((end) => end[2] < NEAR)) return;
      const at = top.map((end) => flat(view, end));
      let y = Math.min(...at.map((end) => end[1])) - 5 * scale;
      const x = at.reduce((sum, end) => sum + end[0], 0) / 4;
      pen.font = `600 ${12 * scale}px system-ui, sans-serif`;
      const wide = pen.measureText(one.text).width + 8 * scale;
      const meets = (other) => Math.abs(other.x - x) < (other.wide + wide) / 2 && Math.abs(other.y - y) < 18 * scale;
      for (let other = taken.find(meets); other; other = taken.find(meets)) y = other.y - 18 * scale;
      taken.push({ x, y, wide });
      const style = getComputedStyle(box);
      pen.fillStyle = style.getPropertyValue(`--${one.kind}`).trim() || "#888";
      pen.fillRect(x - wide / 2, y - 15 * scale, wide, 17 * scale);
      pen.fillStyle = "#111";
      pen.textAlign = "center";
      pen.fillText(one.text, x, y - 2 * scale);
    };

    const draw = () => {
      asked = 0;
      const scale = Math.min(2, window.devicePixelRatio || 1);
      const wide = Math.max(1, Math.round(canvas.clientWidth * scale));
      const tall = Math.max(1, Math.round(canvas.clientHeight * scale));
      if (canvas.width !== wide || canvas.height !== tall) [canvas.width, canvas.height] = [wide, tall];
      if (!points) points = decoded(box.dataset.points);
      if (!shades) readShades();
      const view = camera(wide, tall);
      drawPoints(view, scale);
      for (const one of boxes) drawBox(view, one, scale);
      const taken = [];
      for (const one of boxes) drawWord(view, one, scale, taken);
      canvas.dataset.view = [eye.turn, eye.tilt, eye.far, ...eye.at].map((value) => value.toFixed(3)).join(" ");
    };
    const redraw = () => {
      if (!asked) asked = requestAnimationFrame(draw);
    };

    const turn = (by, tilt) => {
      eye.turn -= by;
      eye.tilt = clamp(eye.tilt + tilt, 0.02, 1.56);
      redraw();
    };
    const zoom = (by) => {
      eye.far = clamp(eye.far * by, 3, 160);
      redraw();
    };
    const move = (ahead, left) => {
      const [sin, cos] = [Math.sin(eye.turn), Math.cos(eye.turn)];
      eye.at[0] += ahead * cos - left * sin;
      eye.at[1] += ahead * sin + left * cos;
      redraw();
    };

    // One finger or the mouse turns; two fingers zoom.
    const fingers = new Map();
    const apart = () => {
      const [one, two] = [...fingers.values()];
      return Math.hypot(one.x - two.x, one.y - two.y);
    };
    canvas.addEventListener("pointerdown", (event) => {
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      const last = fingers.get(event.pointerId);
      if (!last) return;
      const now = { x: event.clientX, y: event.clientY };
      if (fingers.size === 2) {
        const before = apart();
        fingers.set(event.pointerId, now);
        if (apart() > 0) zoom(before / apart());
        return;
      }
      fingers.set(event.pointerId, now);
      if (event.shiftKey) move(((now.y - last.y) * eye.far) / 500, ((now.x - last.x) * eye.far) / 500);
      else turn((now.x - last.x) * 0.008, (now.y - last.y) * 0.006);
    });
    for (const name of ["pointerup", "pointercancel"])
      canvas.addEventListener(name, (event) => fingers.delete(event.pointerId));
    canvas.addEventListener(
      "wheel",
      (event) => {
        if (document.activeElement !== canvas) return;
        event.preventDefault();
        zoom(Math.exp(clamp(event.deltaY, -120, 120) * 0.0015));
      },
      { passive: false },
    );
    canvas.addEventListener("keydown", (event) => {
      const step = eye.far / 30;
      const [keys, shifted] = [
        { ArrowLeft: [0.1, 0], ArrowRight: [-0.1, 0], ArrowUp: [0, 0.07], ArrowDown: [0, -0.07] },
        { ArrowLeft: [0, step], ArrowRight: [0, -step], ArrowUp: [step, 0], ArrowDown: [-step, 0] },
      ];
      if (event.key in keys) event.shiftKey ? move(...shifted[event.key]) : turn(...keys[event.key]);
      else if (event.key === "+" || event.key === "=") zoom(0.85);
      else if (event.key === "-") zoom(1 / 0.85);
      else if (event.key === "0") {
        reset();
        redraw();
      } else return;
      event.preventDefault();
    });
    const deeds = {
      near: () => zoom(0.75),
      far: () => zoom(1 / 0.75),
      above: () => turn(eye.turn, 2),
      reset: () => {
        reset();
        redraw();
      },
    };
    for (const button of box.querySelectorAll("button"))
      button.addEventListener("click", deeds[button.dataset.do]);

    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      shades = null;
      if (points) redraw();
    });
    reset();
    box.hidden = false;
    new ResizeObserver(() => points && redraw()).observe(canvas);
    new IntersectionObserver((found) => {
      if (found.some((one) => one.isIntersecting)) redraw();
    }).observe(canvas);
  };
  for (const box of document.querySelectorAll(".cloud")) begin(box);
})();
