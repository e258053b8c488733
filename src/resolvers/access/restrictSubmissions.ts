// The submissions of a viewer that sees only what it submitted.
import type { Submission } from "../../store/tasks/submissionRow.ts";
import { mapItems } from "../../util/iterators.ts";
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
      return mapItems(items, async (item) => {
        const shown = item instanceof Error ? item : own(item);
        // A submission that does not exist is told once.
        if (shown === null) await items.return?.();
        return shown;
      });
    },
  };
}
