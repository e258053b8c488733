// Keeps a task with its idempotency key from the moment before it is sent until its outcome is known. A reload then sends it
// again under the same key, and nobody is called twice.
import { formText } from "./formText.ts";

export interface TaskDraft {
  idempotencyKey: string;
  name: string;
  assistantId: string;
  lineId: string;
  number: string;
}

/** A key belongs to one viewer: the same key of another viewer would be another task. */
const slot = (viewer: string) => `task-draft:${viewer}`;

export function loadDraft(viewer: string): TaskDraft | null {
  const text = sessionStorage.getItem(slot(viewer));
  return text === null ? null : (JSON.parse(text) as TaskDraft);
}

export const saveDraft = (viewer: string, draft: TaskDraft): void =>
  sessionStorage.setItem(slot(viewer), JSON.stringify(draft));

export const dropDraft = (viewer: string): void => sessionStorage.removeItem(slot(viewer));

export function readDraft(form: FormData): TaskDraft {
  return {
    idempotencyKey: createKey(),
    name: formText(form, "name"),
    assistantId: formText(form, "assistantId"),
    lineId: formText(form, "lineId"),
    number: formText(form, "number"),
  };
}

/** The input of `createTask`, and the same one for each sending: another would be refused under the same key. */
export const inputOf = ({ lineId, number, ...draft }: TaskDraft) => ({
  ...draft,
  numbers: [{ number }],
  option: {
    lineIds: [lineId],
    periods: [["09:00", "18:00"]],
    startDate: "2030-01-15",
    retryCount: 2,
    retryIntervalSeconds: 600,
    numberFileMeta: { number: 0, name: 1, gender: 2, salesPersonName: 3 },
  },
});

/** 128 random bits. crypto.randomUUID is missing on pages without HTTPS. */
function createKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
