import { readDraft, type TaskDraft } from "./taskDraft.ts";

const FIELDS = [
  ["name", "Name"],
  ["assistantId", "Assistant's ID"],
  ["lineId", "Line's ID"],
  ["number", "Phone number"],
] as const;

interface Props {
  draft: TaskDraft | null;
  /** The draft was sent, and its outcome is not known yet. */
  isPending: boolean;
  onSend: (draft: TaskDraft) => void;
}

export function TaskForm({ draft, isPending, onSend }: Props) {
  if (draft && isPending)
    return (
      <p>
        “{draft.name}” was sent, and no answer came yet.{" "}
        <button onClick={() => onSend(draft)}>Send again under the same key</button>
      </p>
    );
  return (
    <form action={(form) => onSend(readDraft(form))}>
      {FIELDS.map(([name, label]) => (
        <label key={name}>
          {label} <input name={name} defaultValue={draft?.[name]} required />
        </label>
      ))}
      <button>Create the task</button>
    </form>
  );
}
