// What the command menu offers for a text: views, tasks, and where a number or a session ID leads.
import { isWholeNumber, readPhone } from "../../../src/format/readPhone.ts";

export type Command =
  | { kind: "view"; path: string; label: string }
  | { kind: "phone"; phone: string }
  | { kind: "session"; sessionId: string }
  | { kind: "task"; taskId: string; label: string };

export interface CommandWorld {
  views: readonly { path: string; label: string }[];
  /** Null: the viewer may not see them. */
  tasks: readonly { value: string; label: string }[] | null;
  /** Whether the viewer may find calls, and by number. */
  findsCalls: boolean;
  findsNumbers: boolean;
}

/** A shorter one may be the beginning of an ID. */
const MIN_NUMBER = 4;
const SESSION = /^\S{6,}$/;
const TASK_ID = /^\d{1,19}$/;
const MAX_TASKS = 20;

export function commandsFor(text: string, { views, tasks, findsCalls, findsNumbers }: CommandWorld): Command[] {
  const wanted = text.trim();
  const has = (label: string) => label.toLocaleLowerCase().includes(wanted.toLocaleLowerCase());
  const reading = readPhone(wanted);
  const isNumber = reading.kind === "number" && reading.number.length >= MIN_NUMBER;
  const known = (tasks ?? []).filter(({ label, value }) => has(label) || value.startsWith(wanted));
  const isUnknownTask = tasks !== null && TASK_ID.test(wanted) && tasks.every(({ value }) => value !== wanted);
  return [
    ...views.filter(({ label }) => has(label)).map((view) => ({ kind: "view" as const, ...view })),
    ...(findsNumbers && isNumber ? [{ kind: "phone" as const, phone: wanted }] : []),
    ...known.slice(0, MAX_TASKS).map(({ value, label }) => ({ kind: "task" as const, taskId: value, label })),
    ...(isUnknownTask ? [{ kind: "task" as const, taskId: wanted, label: wanted }] : []),
    // A number would stand in the address, which goes to servers and their logs.
    ...(findsCalls && SESSION.test(wanted) && !isWholeNumber(reading)
      ? [{ kind: "session" as const, sessionId: wanted }]
      : []),
  ];
}

/** No two commands for one text have the same key. */
export function commandKey(command: Command): string {
  if (command.kind === "view") return command.path;
  return command.kind === "task" ? `task ${command.taskId}` : command.kind;
}
