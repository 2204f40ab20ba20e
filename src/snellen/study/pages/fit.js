// How large a picture is shown, in CSS pixels.

export const LEAST = 256;
export const MOST = 640;
const READABLE = 240;

// The size whose longer side is the picture's own, within 256 to 640: a small picture is enlarged
// no further than to be seen at all, and a large one is as large for everyone whose screen has
// room. `small` says that the screen has less room than a picture needs.
export const fitted = (width, height, room, { least = LEAST, most = MOST } = {}) => {
  const longest = Math.max(width, height);
  const wanted = Math.min(most, Math.max(least, longest)) / longest;
  const scale = Math.min(wanted, room.width / width, room.height / height);
  const small = longest * scale < READABLE - 0.5;
  return { width: Math.round(width * scale), height: Math.round(height * scale), small };
};

// The room that the window has for a picture beside what stands above and below it.
export const roomOf = (innerWidth, innerHeight, reserved) => ({
  width: Math.min(innerWidth - 32, 1088),
  height: innerHeight - reserved,
});
