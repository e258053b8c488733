// Questions to each root field that shows rows, with the answer that a rule over all rows gives.
import * as fc from "fast-check";
import { nodeId } from "../../src/resolvers/nodeId.ts";
import { alertQuestions } from "./alertQuestions.ts";
import { AS_NOTHING, data, FORBIDDEN, object, refusal, UNCHECKED, type Expected } from "./accessAnswers.ts";
import {
  AROUND,
  NO_SESSION,
  NO_TASK,
  ownsTask,
  RANGE,
  seesCall,
  seesTask,
  TASKS,
  type Call,
  type World,
  type WorldViewer,
} from "./accessWorld.ts";

export interface Question {
  /** The root field. */
  field: string;
  query: string;
  expected: (viewer: WorldViewer) => Expected;
  /** The same question about a row that does not exist. Null: the question names no row. */
  aboutNothing: string | null;
}

/** Only a viewer that is restricted to its submissions, and by nothing else, reads submissions. */
const isRefusedSubmissions = ({ access }: WorldViewer) =>
  access !== null && text(access) !== text({ submittedBy: "self" });
const byLine = ({ access }: WorldViewer) => access?.lineIds !== undefined;
const text = (value: unknown) => JSON.stringify(value);
const sorted = (calls: readonly Call[]) => calls.map(({ sessionId }) => sessionId).toSorted();

export function questionsOf({ calls, alerts, A, B, assistantOf }: World): fc.Arbitrary<Question> {
  const session = fc.constantFrom(...calls.map(({ sessionId }) => sessionId), NO_SESSION);
  const task = fc.constantFrom(...Object.keys(TASKS), NO_TASK);
  const assistant = fc.constantFrom(A, B, "999999");
  const filter = fc.record({
    taskIds: fc.option(fc.uniqueArray(task, { minLength: 1 }), { nil: undefined }),
    assistantIds: fc.option(fc.uniqueArray(assistant, { minLength: 1 }), { nil: undefined }),
  });
  type Filter = typeof filter extends fc.Arbitrary<infer T> ? T : never;
  const matching = (viewer: WorldViewer, { taskIds, assistantIds }: Filter) =>
    calls.filter(
      (call) =>
        seesCall(viewer, call) &&
        (!taskIds || (call.taskId !== null && taskIds.includes(call.taskId))) &&
        (!assistantIds || call.assistants.some((id) => assistantIds.includes(id))),
    );
  /** A viewer by line must name its tasks, and no others. */
  const isNamed = (viewer: WorldViewer, { taskIds }: Filter) =>
    !byLine(viewer) || (taskIds !== undefined && taskIds.every((id) => ownsTask(viewer, id)));
  const callOf = (viewer: WorldViewer, sessionId: string) =>
    calls.find((call) => call.sessionId === sessionId && seesCall(viewer, call));
  const taskOf = (viewer: WorldViewer, taskId: string) =>
    seesTask(viewer, taskId, assistantOf(taskId)) ? { taskId } : null;

  const eventsQuery = (name: string, root: string, given: Filter) => `${name}(${root}filter: ${object(given)})`;
  const nodeOf = (id: string, expected: Question["expected"], nothing: string): Question => ({
    field: "Query.node",
    query: `{ node(id: ${text(id)}) { __typename } }`,
    expected,
    aboutNothing: `{ node(id: ${text(nothing)}) { __typename } }`,
  });
  const found = (typename: string, isFound: unknown) => data({ node: isFound ? { __typename: typename } : null });

  type EntityQuestion = [given: string, nothing: string, expected: (viewer: WorldViewer) => Expected];
  function taskEntity(taskId: string): EntityQuestion {
    const of = (id: string) => `__typename: "Task", taskId: "${id}"`;
    const entity = (viewer: WorldViewer) => taskOf(viewer, taskId) && { __typename: "Task" };
    return [of(taskId), of(NO_TASK), (viewer) => data({ _entities: [entity(viewer)] })];
  }
  function callEntity(sessionId: string): EntityQuestion {
    const of = (id: string) => `__typename: "CallEnded", sessionId: "${id}"`;
    const entity = (viewer: WorldViewer) => (callOf(viewer, sessionId) ? { __typename: "CallEnded" } : null);
    return [
      of(sessionId),
      of(NO_SESSION),
      (viewer) => (byLine(viewer) ? FORBIDDEN : data({ _entities: [entity(viewer)] })),
    ];
  }

  return fc.oneof(
    filter.map((given): Question => ({
      field: "Query.callEndedEvents",
      query: `{ ${eventsQuery("callEndedEvents", "first: 100, ", given)} { nodes { sessionId } } }`,
      expected: (viewer) => (isNamed(viewer, given) ? data(sorted(matching(viewer, given))) : FORBIDDEN),
      aboutNothing: null,
    })),
    filter.map((given): Question => ({
      field: "Query.callStats",
      query: `{ ${eventsQuery("callStats", "", given)} { calls } }`,
      expected: (viewer) =>
        isNamed(viewer, given) ? data({ callStats: { calls: matching(viewer, given).length } }) : FORBIDDEN,
      aboutNothing: null,
    })),
    filter.map((given): Question => ({
      field: "Query.callLogs",
      query: `{ callLogs(first: 100, filter: ${object({ ...given, ...RANGE })}) { totalCount nodes { sessionId } } }`,
      expected: (viewer) => {
        if (!isNamed(viewer, given)) return FORBIDDEN;
        const { taskIds, assistantIds, submittedBy } = viewer.access ?? {};
        const named = (given.taskIds ?? taskIds)?.filter((id) => taskIds?.includes(id) ?? true);
        const own = submittedBy ? (named ?? Object.keys(TASKS)).filter((id) => viewer.submitted.includes(id)) : named;
        const isForeign = assistantIds && given.assistantIds?.some((id) => !assistantIds.includes(id));
        if (isForeign && own?.length !== 0) return refusal("BAD_USER_INPUT");
        return data(sorted(matching(viewer, given).filter(({ isListed }) => isListed)));
      },
      aboutNothing: null,
    })),
    session.map((sessionId): Question => {
      const query = (id: string) => `{ callEnded(sessionId: ${text(id)}) { sessionId } }`;
      return {
        field: "Query.callEnded",
        query: query(sessionId),
        expected: (viewer) =>
          byLine(viewer) ? FORBIDDEN : data({ callEnded: callOf(viewer, sessionId) ? { sessionId } : null }),
        aboutNothing: query(NO_SESSION),
      };
    }),
    session.map((sessionId): Question => {
      const query = (id: string) => `{ callLog(sessionId: ${text(id)}, around: "${AROUND}") { sessionId } }`;
      return {
        field: "Query.callLog",
        query: query(sessionId),
        expected: (viewer) =>
          byLine(viewer) ? FORBIDDEN : data({ callLog: callOf(viewer, sessionId) ? { sessionId } : null }),
        aboutNothing: query(NO_SESSION),
      };
    }),
    fc
      .tuple(fc.constantFrom("CallEnded" as const, "CallLog" as const, "Recording" as const), session)
      .map(([type, sessionId]): Question => {
        const idOf = (of: string) => (type === "CallEnded" ? nodeId(type, of, "1") : nodeId(type, of));
        return nodeOf(
          idOf(sessionId),
          (viewer) => {
            if (byLine(viewer)) return FORBIDDEN;
            const isFound = callOf(viewer, sessionId) !== undefined;
            // The search of the service's list for a call without an event may be too long.
            return isFound || type !== "CallLog" ? found(type, isFound) : AS_NOTHING;
          },
          idOf(NO_SESSION),
        );
      }),
    task.map((taskId) =>
      nodeOf(nodeId("Task", taskId), (viewer) => found("Task", taskOf(viewer, taskId)), nodeId("Task", NO_TASK)),
    ),
    ...alertQuestions(alerts, { filter, isNamed, nodeOf }),
    task.map((taskId): Question => {
      const query = (id: string) => `{ task(taskId: "${id}") { taskId } }`;
      return {
        field: "Query.task",
        query: query(taskId),
        expected: (viewer) => data({ task: taskOf(viewer, taskId) }),
        aboutNothing: query(NO_TASK),
      };
    }),
    fc.uniqueArray(task, { minLength: 1 }).map((ids): Question => ({
      field: "Query.tasksByIds",
      query: `{ tasksByIds(taskIds: ${text(ids)}) { taskId callLogs(first: 100, filter: ${object(RANGE)}) { totalCount } callStats { calls } } }`,
      expected: (viewer) =>
        data({
          tasksByIds: ids.map((taskId) => {
            const of = calls.filter((call) => call.taskId === taskId && seesCall(viewer, call));
            const totalCount = of.filter(({ isListed }) => isListed).length;
            return taskOf(viewer, taskId) && { taskId, callLogs: { totalCount }, callStats: { calls: of.length } };
          }),
        }),
      aboutNothing: null,
    })),
    fc.constant<Question>({
      field: "Query.tasks",
      query: "{ tasks(first: 100) { edges { node { taskId } } } }",
      expected: (viewer) => {
        const { assistantIds, lineIds } = viewer.access ?? {};
        if (assistantIds || lineIds) return FORBIDDEN;
        return data(Object.keys(TASKS).filter((taskId) => ownsTask(viewer, taskId)));
      },
      aboutNothing: null,
    }),
    fc.constantFrom(A, "999999").map((assistantId): Question => {
      const query = (id: string) => `{ assistant(assistantId: "${id}") { assistantId } }`;
      const isOwn = ({ access }: WorldViewer) => !access || access.assistantIds?.includes(assistantId);
      return {
        field: "Query.assistant",
        query: query(assistantId),
        expected: (viewer) => data({ assistant: isOwn(viewer) && assistantId === A ? { assistantId } : null }),
        aboutNothing: query("999999"),
      };
    }),
    fc.tuple(fc.nat(), task).map(([at, taskId]): Question => {
      const submission = (viewer: string) => nodeId("TaskSubmission", `${viewer} ${taskId}`);
      const name = `viewer-${at % 12}`;
      const query = (of: string) => `{ taskSubmission(id: "${submission(of)}") { status } }`;
      return {
        field: "Query.taskSubmission",
        query: query(name),
        expected: (viewer) => {
          if (isRefusedSubmissions(viewer)) return FORBIDDEN;
          return viewer.access && viewer.name !== name ? data({ taskSubmission: null }) : UNCHECKED;
        },
        aboutNothing: query("nobody"),
      };
    }),
    fc.tuple(fc.nat(), task).map(([at, taskId]): Question => {
      const name = `viewer-${at % 12}`;
      const query = (of: string) => `{ taskSubmissionByKey(idempotencyKey: "${of} ${taskId}") { name } }`;
      return {
        field: "Query.taskSubmissionByKey",
        query: query(name),
        expected: (viewer) => {
          if (isRefusedSubmissions(viewer)) return FORBIDDEN;
          return viewer.name === name ? UNCHECKED : data({ taskSubmissionByKey: null });
        },
        aboutNothing: query("nobody"),
      };
    }),
    fc.constant<Question>({
      field: "Query.taskSubmissions",
      query: "{ taskSubmissions(first: 100) { nodes { id } } }",
      expected: (viewer) => {
        if (isRefusedSubmissions(viewer)) return FORBIDDEN;
        if (!viewer.access) return UNCHECKED;
        return data(viewer.submitted.map((taskId) => nodeId("TaskSubmission", `${viewer.name} ${taskId}`)).toSorted());
      },
      aboutNothing: null,
    }),
    fc.uniqueArray(task, { minLength: 1 }).map((ids): Question => ({
      field: "Query.nodes",
      query: `{ nodes(ids: ${text(ids.map((id) => nodeId("Task", id)))}) { __typename } }`,
      expected: (viewer) => data({ nodes: ids.map((id) => taskOf(viewer, id) && { __typename: "Task" }) }),
      aboutNothing: null,
    })),
    fc.oneof(session.map(callEntity), task.map(taskEntity)).map(([given, nothing, expected]): Question => {
      const query = (entity: string) => `{ _entities(representations: [{ ${entity} }]) { __typename } }`;
      return {
        field: "Query._entities",
        query: query(given),
        expected,
        aboutNothing: query(nothing),
      };
    }),
  );
}
