// Why a rule that can be read may never apply: what it names is not known. A task may be created tomorrow, so that this is a warning.
import type { AlertRule } from "./alertFile.ts";

/** Each member resolves with false where nothing shows what is named, and with null where that cannot be told now. */
export interface KnownNames {
  task(taskId: string): Promise<boolean | null>;
  assistant(assistantId: string): Promise<boolean | null>;
  reason(reason: string): Promise<boolean | null>;
  /** Whether a key has this name. */
  key(name: string): Promise<boolean | null>;
  /** Whether one of the keys has one of the limits. Undefined: any. */
  limit(keys: readonly string[] | undefined, limits: readonly string[] | undefined): Promise<boolean | null>;
  /** Whether DESTINATIONS_FILE has a destination of this name; undefined: any. */
  destination(name: string | undefined): Promise<boolean | null>;
}

/** One sentence each. */
export async function doubtsOf(rule: AlertRule, known: KnownNames): Promise<string[]> {
  const { tasks = [] } = "tasks" in rule ? rule : {};
  const { assistants = [] } = "assistants" in rule ? rule : {};
  const keys = rule.kind === "keyLimit" ? (rule.keys ?? []) : [];
  const limits = rule.kind === "keyLimit" ? [known.limit(rule.keys, rule.limits)] : [];
  const destinations = rule.kind === "destinationFails" ? (rule.destinations ?? [undefined]) : [];
  const reasons = "reasons" in rule ? rule.reasons : [];
  const asked = [
    ...tasks.map((id) => [known.task(id), `The service has no task ${id}.`] as const),
    ...assistants.map((id) => [known.assistant(id), `No task or call has shown an assistant ${id}.`] as const),
    ...reasons.map(
      (reason) => [known.reason(reason), `No call in the log has ended with ${JSON.stringify(reason)}.`] as const,
    ),
    ...keys.map((name) => [known.key(name), `API_KEYS_FILE has no key ${JSON.stringify(name)}.`] as const),
    ...destinations.map((name) => [known.destination(name), noDestination(name)] as const),
    ...limits.map((answer) => [answer, "No key that it names has a limit that it watches."] as const),
  ];
  // All at once: one that fails while another is awaited is handled, too.
  const answers = await Promise.all(asked.map(([answer]) => answer.catch(() => null)));
  return asked.filter((_, at) => answers[at] === false).map(([, text]) => text);
}

const noDestination = (name: string | undefined) =>
  name === undefined
    ? "DESTINATIONS_FILE has no destination."
    : `DESTINATIONS_FILE has no destination ${JSON.stringify(name)}.`;
