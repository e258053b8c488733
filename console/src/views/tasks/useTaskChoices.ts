// The assistants and lines that the gateway knows, with their names.
import { useQuery, type Query } from "../../data/useQuery.ts";
import type { ConsoleTaskChoicesQuery } from "../../gql/graphql.ts";
import { useTexts } from "../../locale/Locale.tsx";
import { choicesDocument } from "./documents.ts";
import { inOrder, type Choice } from "./choiceOrder.ts";
import { texts } from "./texts/texts.ts";

export interface TaskChoices {
  query: Query<ConsoleTaskChoicesQuery>;
  assistants: readonly Choice[];
  lines: readonly Choice[];
  /** `North (61)`, or `ID 61` where it has no name. */
  textOf(choice: Choice): string;
  assistantText(id: string): string;
  lineText(id: string): string;
}

const NO_VARIABLES = {};

/** `reads`: whether the viewer may read them. Without it an ID has no name. */
export function useTaskChoices(reads = true): TaskChoices {
  const t = useTexts(texts);
  const query = useQuery(choicesDocument, reads ? NO_VARIABLES : null);
  const { data } = query;
  const assistants = inOrder((data?.assistants?.nodes ?? []).map((each) => ({ ...each, id: each.assistantId })));
  const lines = inOrder((data?.lines?.nodes ?? []).map((each) => ({ ...each, id: each.lineId })));
  const textOf = ({ id, name }: Choice) => (name === null ? t.onlyId(id) : `${name} (${id})`);
  const textIn = (choices: readonly Choice[], id: string) =>
    textOf(choices.find((choice) => choice.id === id) ?? { id, name: null });
  return {
    query,
    assistants,
    lines,
    textOf,
    assistantText: (id) => textIn(assistants, id),
    lineText: (id) => textIn(lines, id),
  };
}
