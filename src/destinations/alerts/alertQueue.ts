// What a destination has not taken yet of alerts: each alert in order, and no alert waits for another one.

export interface Waiting<Notice> {
  notice: Notice;
  failures: number;
  /** When it is to be sent, and when it was tried first, by performance.now(). */
  dueAt: number;
  triedAt: number | null;
}

export interface AlertQueue<Notice> {
  /** Notes what was read after the ones before. */
  add(notices: readonly Notice[]): void;
  /** What is to be sent next: what was never tried is the first. Null: there is nothing. Its `dueAt` may be in the future. */
  next(): Waiting<Notice> | null;
  /** Nothing more is to be done for it. */
  remove(waiting: Waiting<Notice>): void;
  /** Everything is to be sent now, as if it had never been tried. */
  renew(): void;
  size(): number;
  /** Everything up to here is done. */
  through(): number;
}

const FRESH = { failures: 0, dueAt: 0, triedAt: null };

/** `place`: where the destination was. */
export function createAlertQueue<Notice extends { place: number; alert: number }>(place: number): AlertQueue<Notice> {
  let waiting: Waiting<Notice>[] = [];
  let read = place;
  return {
    add(notices) {
      for (const notice of notices) {
        waiting.push({ notice, ...FRESH });
        read = notice.place;
      }
    },
    next() {
      const seen = new Set<number>();
      let first: Waiting<Notice> | null = null;
      for (const each of waiting) {
        // An end waits for its beginning.
        if (seen.has(each.notice.alert)) continue;
        seen.add(each.notice.alert);
        if (first === null || each.dueAt < first.dueAt) first = each;
      }
      return first;
    },
    remove(done) {
      waiting = waiting.filter((each) => each !== done);
    },
    renew() {
      for (const each of waiting) Object.assign(each, FRESH);
    },
    size: () => waiting.length,
    through: () => (waiting[0] ? waiting[0].notice.place - 1 : read),
  };
}
