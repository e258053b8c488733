// What this viewer may do with tasks.
import { useSession } from "../../session/SessionProvider.tsx";

export interface TaskRights {
  /** Whether createTask sends a task at once, or stores it for an approval. Null: neither. */
  submits: "creates" | "proposes" | null;
  approves: boolean;
  /** Whether it sees submissions, its own and those of others. */
  seesSubmissions: boolean;
  /** Whether it sees tasks, assistants and lines. */
  reads: boolean;
}

export function useTaskRights(): TaskRights {
  const { holds } = useSession();
  const submits = holds("tasks:create") ? "creates" : holds("tasks:propose") ? "proposes" : null;
  const approves = holds("tasks:approve");
  return { submits, approves, seesSubmissions: submits !== null || approves, reads: holds("calls:read") };
}
