// How many subscriptions run in this process, whatever transport they came by.

export interface SubscriberCount {
  /** Counts one from now on; to be called when it is over, once or more often. */
  enter(): () => void;
  running(): number;
}

export function createSubscriberCount(): SubscriberCount {
  let running = 0;
  return {
    running: () => running,
    enter() {
      let isHere = true;
      running += 1;
      return () => {
        if (isHere) running -= 1;
        isHere = false;
      };
    },
  };
}
