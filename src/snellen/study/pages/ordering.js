// Lists that change.

// The list with one item moved to another place.
export const moved = (items, from, to) => {
  const rest = items.filter((_, place) => place !== from);
  const target = Math.min(Math.max(to, 0), rest.length);
  return [...rest.slice(0, target), items[from], ...rest.slice(target)];
};

// What was done, step by step; a new step forgets what was undone.
export class History {
  constructor(done = []) {
    this.done = [...done];
    this.undone = [];
  }

  push(step) {
    this.done.push(step);
    this.undone = [];
  }

  undo() {
    if (this.done.length) this.undone.push(this.done.pop());
  }

  redo() {
    if (this.undone.length) this.done.push(this.undone.pop());
  }
}
