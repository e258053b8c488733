// Questions about alerts, with the answer that a rule over all of them gives.
import * as fc from "fast-check";
import { nodeId } from "../../src/resolvers/nodeId.ts";
import { data, FORBIDDEN, object } from "./accessAnswers.ts";
import type { Question } from "./accessQuestions.ts";
import { seesAlert, type WorldAlert, type WorldViewer } from "./accessWorld.ts";

interface Filter {
  taskIds: string[] | undefined;
  assistantIds: string[] | undefined;
}

interface Asked {
  filter: fc.Arbitrary<Filter>;
  isNamed: (viewer: WorldViewer, filter: Filter) => boolean;
  nodeOf: (id: string, expected: Question["expected"], nothing: string) => Question;
}

const isMeant = ({ taskIds, assistantIds }: Filter, { taskId, assistantId }: WorldAlert) =>
  (!taskIds || (taskId !== null && taskIds.includes(taskId))) &&
  (!assistantIds || (assistantId !== null && assistantIds.includes(assistantId)));

export const alertQuestions = (alerts: readonly WorldAlert[], { filter, isNamed, nodeOf }: Asked) => [
  filter.map((given): Question => ({
    field: "Query.alerts",
    query: `{ alerts(first: 100, filter: ${object(given)}) { nodes { id } } }`,
    expected(viewer) {
      if (!isNamed(viewer, given)) return FORBIDDEN;
      const own = alerts.filter((alert) => seesAlert(viewer, alert) && isMeant(given, alert));
      return data(own.map(({ id }) => id).toSorted());
    },
    aboutNothing: null,
  })),
  fc.constantFrom(...alerts).map((alert) => {
    const expected = (viewer: WorldViewer) =>
      viewer.access?.lineIds ? FORBIDDEN : data({ node: seesAlert(viewer, alert) ? { __typename: "Alert" } : null });
    return nodeOf(alert.id, expected, nodeId("Alert", "999999"));
  }),
];
