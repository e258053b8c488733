import type { Call } from "./mergeCalls.ts";

const timeOf = (instant: string | null) => (instant === null ? "–" : new Date(instant).toLocaleTimeString());

function outcomeOf({ endAt, answered }: Call): string {
  if (endAt === null) return "in progress";
  if (answered === null) return "ended";
  return answered ? "answered" : "not answered";
}

/** Rows without state: their place is their key, because a list that moves may repeat a call. */
export function CallTable({ calls }: { calls: readonly Call[] }) {
  return (
    <table>
      <thead>
        <tr>
          {["Start", "Caller", "Callee", "Task", "Assistant", "Outcome"].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {calls.map((call, place) => (
          <tr key={place} data-session={call.sessionId}>
            <td>{timeOf(call.startAt)}</td>
            <td>{call.caller ?? "–"}</td>
            <td>{call.callee ?? "–"}</td>
            <td>{call.task?.name ?? "–"}</td>
            <td>{call.assistants.map(assistantText).join(", ") || "–"}</td>
            <td>{outcomeOf(call)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function assistantText({ assistantId, versionId, assistant }: Call["assistants"][number]): string {
  return `${assistant?.name ?? assistantId}, version ${versionId}`;
}
