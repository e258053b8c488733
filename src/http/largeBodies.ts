// Bounds how many large bodies are worked on at a time: parsed, each takes ten times its size of memory, until its operation
// is over. Others wait as the bytes that came.
import type { OperationPipeline, OperationResult } from "./operation.ts";
import { LARGE } from "./params.ts";

export interface LargeBodies {
  /** Resolves with what ends its turn, once it has one; null: too many wait already. */
  enter(): Promise<() => void> | null;
}

export function createLargeBodies({ most, waiting }: { most: number; waiting: number }): LargeBodies {
  let atWork = 0;
  const queue: (() => void)[] = [];
  function begin(): () => void {
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const next = queue.shift();
      if (next) next();
      else atWork -= 1;
    };
  }
  return {
    enter() {
      if (atWork < most) {
        atWork += 1;
        return Promise.resolve(begin());
      }
      if (queue.length >= waiting) return null;
      return new Promise((resolve) => queue.push(() => resolve(begin())));
    },
  };
}

/** Ends a large body's turn when its operation is refused or over. A subscription holds nothing of its body. */
export function leavingAfter(pipeline: OperationPipeline): OperationPipeline {
  return {
    prepare(request, grant) {
      const leave = request[LARGE];
      const operation = pipeline.prepare(request, grant);
      if (!leave) return operation;
      if ("errors" in operation || operation.kind === "subscription") {
        leave();
        return operation;
      }
      const run = async (...given: Parameters<typeof operation.run>): Promise<OperationResult> => {
        try {
          return await operation.run(...given);
        } finally {
          leave();
        }
      };
      return { ...operation, run };
    },
  };
}
