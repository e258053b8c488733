// What a form for a new task offers: the assistants and lines that the operator named, and those that tasks and submissions
// showed. The service has no list of either, and it is not asked.
import type { NamedId } from "../config/namedIds.ts";
import type { AssistantRecord } from "../upstream/upstream.ts";
import { assistantOf } from "./assistant.ts";
import type { Context } from "./context.ts";
import { checkFirst } from "./inputRules.ts";

export type ChoiceSource = "SETTING" | "TASK" | "SUBMISSION";

export interface Choice {
  id: string;
  /** From the setting. */
  name: string | null;
  knownFrom: ChoiceSource[];
  /** Null: only the setting names it. */
  seenAt: string | null;
}

export interface AssistantChoice extends Choice {
  versionIds: readonly string[];
}

export interface ChoiceList<T> {
  nodes: T[];
  hasMore: boolean;
}

interface Seen {
  id: string;
  seenAt: string;
  fromTask: boolean;
  fromSubmission: boolean;
}

export async function assistantChoices(
  { first }: { first: number },
  { assistants, named, queryOwner }: Context,
): Promise<ChoiceList<AssistantChoice>> {
  checkFirst(first);
  const ids = named.assistants.map(({ id }) => id);
  const rows = await assistants.list(queryOwner, { first: ids, limit: ids.length + first + 1 });
  const seen = rows.map((row) => ({ ...row, id: row.assistantId }));
  const versions = new Map(seen.map(({ id, versionIds }) => [id, versionIds]));
  const { nodes, hasMore } = choicesOf(named.assistants, seen, first);
  return { nodes: nodes.map((node) => ({ ...node, versionIds: versions.get(node.id) ?? [] })), hasMore };
}

export async function lineChoices(
  { first }: { first: number },
  { lines, named, queryOwner, queuedRead }: Context,
): Promise<ChoiceList<Choice>> {
  checkFirst(first);
  const ids = named.lines.map(({ id }) => id);
  const request = { named: ids, limit: ids.length + first + 1 };
  const rows = await queuedRead(queryOwner, ["lines", first], () => lines.list(request));
  const seen = rows.map((row) => ({ ...row, id: row.lineId }));
  return choicesOf(named.lines, seen, first);
}

/** The named ones in the order of the setting, then the others in the order of `seen`. */
function choicesOf(named: readonly NamedId[], seen: readonly Seen[], first: number): ChoiceList<Choice> {
  const seenById = new Map(seen.map((one) => [one.id, one]));
  const isNamed = new Set(named.map(({ id }) => id));
  const others = seen.filter(({ id }) => !isNamed.has(id));
  const all = [...named, ...others.map(({ id }) => ({ id, name: null }))];
  const nodes = all.slice(0, first).map(({ id, name }): Choice => {
    const seen = seenById.get(id);
    const knownFrom: ChoiceSource[] = isNamed.has(id) ? ["SETTING"] : [];
    if (seen?.fromTask) knownFrom.push("TASK");
    if (seen?.fromSubmission) knownFrom.push("SUBMISSION");
    return { id, name, knownFrom, seenAt: seen?.seenAt ?? null };
  });
  return { nodes, hasMore: all.length > first };
}

/** The version that a task showed last. Null where no task showed one. */
export async function latestVersion(
  { id, versionIds: [versionId] }: AssistantChoice,
  context: Context,
): Promise<AssistantRecord | null> {
  return versionId === undefined ? null : assistantOf({ assistantId: id, versionId }, context);
}

/** The name in the setting, or else that of the version that a task showed last. */
export async function assistantName(choice: AssistantChoice, context: Context): Promise<string | null> {
  return choice.name ?? (await latestVersion(choice, context))?.name ?? null;
}
