import type { GraphQLResolveInfo, SelectionSetNode } from "graphql";

/** What a list's row tells alone, and the fields that lead to a row. */
const ROW_ALONE: ReadonlySet<string> = new Set(["__typename", "node", "cursor", "id", "sessionId", "recordFile"]);

/**
 * Whether a field of `nodes` or `edges` selects what the event may tell otherwise. Only a forecast, which spares the rows
 * their own questions: each field asks for what it needs, so that a wrong one changes no answer.
 */
export function needsEvents({ fieldNodes, fragments }: Pick<GraphQLResolveInfo, "fieldNodes" | "fragments">): boolean {
  const inSet = (set: SelectionSetNode | undefined): boolean =>
    set?.selections.some((selection) => {
      if (selection.kind === "FragmentSpread") return inSet(fragments[selection.name.value]?.selectionSet);
      if (selection.kind === "Field" && !ROW_ALONE.has(selection.name.value)) return true;
      return inSet(selection.selectionSet);
    }) ?? false;
  return fieldNodes.some(({ selectionSet }) => inSet(selectionSet));
}
