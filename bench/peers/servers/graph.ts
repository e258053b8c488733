// The slice of the gateway's graph that the peers answer, with the least work that gives the same answers: each row is
// turned once, and its fields are properties. Nothing of what the service says is checked, and nobody is asked who they are.
import DataLoader from "dataloader";
import type { Service } from "./service.ts";

export const typeDefs = `
  scalar DateTime
  enum CallDirection { INBOUND OUTBOUND }
  enum TaskStatus { PENDING RUNNING DONE }
  input CallLogFilter { since: DateTime until: DateTime }
  type CallAssistant { assistantId: ID! versionId: ID! }
  type Task { taskId: ID! name: String status: TaskStatus! progress: Float }
  type CallLog {
    sessionId: ID
    taskId: ID
    task: Task
    direction: CallDirection
    caller: String
    callee: String
    startAt: DateTime
    answerAt: DateTime
    endAt: DateTime
    duration: Float
    billsec: Float
    answered: Boolean
    recordFile: String
    assistants: [CallAssistant!]!
  }
  type CallLogConnection { nodes: [CallLog!]! totalCount: Int! }
  type Query { callLogs(first: Int! = 10, filter: CallLogFilter): CallLogConnection }
`;

interface Row {
  sessionId: string;
  taskId: number;
  startAt: string;
  answerAt: string | null;
  endAt: string;
  caller: string;
  callee: string;
  direction: string;
  duration: number;
  billsec: number;
  recordFile: string;
  assistant: { id: number; vid: number }[];
}

interface TaskAnswer {
  id: number;
  name: string;
  status: string;
  progress: number;
}

export interface Context {
  service: Service;
  tasks: DataLoader<string, unknown>;
}

/** One for each request, as the gateway has it. */
export function createContext(service: Service): Context {
  const readTask = async (id: string) => taskOf((await service.read(`/openapi/tasks/${id}`)) as TaskAnswer);
  return { service, tasks: new DataLoader((ids: readonly string[]) => Promise.all(ids.map(readTask))) };
}

type Arguments = { first: number; filter: { since: string; until: string } };

export const resolvers = {
  Query: {
    async callLogs(_: unknown, { first, filter }: Arguments, { service }: Context) {
      const range = `startTime=${wallClock(filter.since)}&endTime=${wallClock(filter.until)}`;
      const path = `/openapi/calllog?${range}&pageIndex=1&pageSize=${first}`;
      const { items, total } = (await service.read(path)) as { items: Row[]; total: number };
      return { totalCount: total, nodes: items.map(callOf) };
    },
  },
  CallLog: {
    task: ({ taskId }: { taskId: string }, _: unknown, { tasks }: Context) => tasks.load(taskId),
  },
};

/** The queries write their times on the service's own clock, so that no zone need be reckoned with. */
function wallClock(time: string): string {
  return `${time.slice(0, 10)}%20${time.slice(11, 19)}`;
}

function callOf(row: Row) {
  return {
    sessionId: row.sessionId,
    taskId: String(row.taskId),
    direction: row.direction.toUpperCase(),
    caller: row.caller,
    callee: row.callee,
    startAt: instantOf(row.startAt),
    answerAt: instantOf(row.answerAt),
    endAt: instantOf(row.endAt),
    duration: row.duration,
    billsec: row.billsec,
    answered: row.answerAt !== null || row.billsec > 0,
    recordFile: row.recordFile,
    assistants: row.assistant.map(({ id, vid }) => ({ assistantId: String(id), versionId: String(vid) })),
  };
}

function taskOf({ id, name, status, progress }: TaskAnswer) {
  return { taskId: String(id), name, status: status.toUpperCase(), progress };
}

function instantOf(wallClock: string | null): string | null {
  return wallClock === null ? null : new Date(`${wallClock.replace(" ", "T")}+08:00`).toISOString();
}
