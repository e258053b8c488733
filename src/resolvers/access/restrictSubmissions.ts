// The submissions of a viewer that sees only what it submitted.
import type { Submission } from "../../store/tasks/submissionRow.ts";
import type { Context, Services } from "../context.ts";

/** A submission of another viewer is answered like one that does not exist. */
export function restrictSubmissions({ submissions, viewer }: Context): Services["submissions"] {
  const own = (submission: Submission | null) => (submission?.viewer === viewer.name ? submission : null);
  return {
    byId: async (id) => own(await submissions.byId(id)),
    byKey: submissions.byKey,
    page: (request) => submissions.page({ ...request, viewer: viewer.name }),
    overrideOf: async (id) => (own(await submissions.byId(id)) ? submissions.overrideOf(id) : null),
    watch(id) {
      const items = submissions.watch(id);
      let isOver = false;
      return {
        async next() {
          if (isOver) return { done: true, value: undefined };
          const { done, value } = await items.next();
          if (done) return { done: true, value: undefined };
          const item = value instanceof Error ? value : own(value);
          // A submission that does not exist is told once.
          if (item === null) {
            isOver = true;
            await items.return?.();
          }
          return { done: false, value: item };
        },
        async return() {
          await items.return?.();
          return { done: true, value: undefined };
        },
        [Symbol.asyncIterator]() {
          return this;
        },
      };
    },
  };
}
