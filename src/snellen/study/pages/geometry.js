// Points and boxes in pixels of a picture. A point is [x, y], a box [x1, y1, x2, y2].

const tenth = (value) => Math.round(value * 10) / 10;

// Inside the picture, to a tenth of a pixel.
export const clamped = ([x, y], width, height) => [
  tenth(Math.min(Math.max(x, 0), width)),
  tenth(Math.min(Math.max(y, 0), height)),
];

// The box between two corners, or null for one too thin to be meant.
export const boxBetween = ([ax, ay], [bx, by], least) => {
  const box = [Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by)];
  return box[2] - box[0] >= least && box[3] - box[1] >= least ? box : null;
};

export const distance = ([ax, ay], [bx, by]) => Math.hypot(ax - bx, ay - by);

// The part of a picture in view: all of it at zoom 1, else a part of its shape about the centre
// of a box, moved as little as keeps it inside.
export const viewOf = (box, width, height, zoom) => {
  const [w, h] = [width / zoom, height / zoom];
  const centre = box ? [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2] : [width / 2, height / 2];
  return {
    x: Math.min(Math.max(centre[0] - w / 2, 0), width - w),
    y: Math.min(Math.max(centre[1] - h / 2, 0), height - h),
    width: w,
    height: h,
  };
};

// The zoom, in steps of a half from 1 to 8, at which a box takes up to three fifths of the view.
export const zoomFor = (box, width, height) => {
  const share = Math.max((box[2] - box[0]) / width, (box[3] - box[1]) / height);
  return Math.min(8, Math.max(1, Math.floor((0.6 / share) * 2) / 2));
};

const offLine = ([x, y], [ax, ay], [bx, by]) => {
  const length = Math.hypot(bx - ax, by - ay);
  if (!length) return Math.hypot(x - ax, y - ay);
  return Math.abs((bx - ax) * (ay - y) - (ax - x) * (by - ay)) / length;
};

// A line with fewer points, none of the others farther than `tolerance` from it (Douglas and
// Peucker; without recursion, since a stroke may have thousands of points).
export const thinned = (points, tolerance) => {
  const keep = new Set([0, points.length - 1]);
  const open = [[0, points.length - 1]];
  while (open.length) {
    const [first, last] = open.pop();
    let [far, place] = [tolerance, -1];
    for (let one = first + 1; one < last; one += 1) {
      const off = offLine(points[one], points[first], points[last]);
      if (off > far) [far, place] = [off, one];
    }
    if (place < 0) continue;
    keep.add(place);
    open.push([first, place], [place, last]);
  }
  return points.filter((_, place) => keep.has(place));
};
