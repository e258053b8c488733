// The plan of a task, as it is copied into the form.
import type { EarlierPlan } from "../create/copiedPlan.ts";
import type { DetailedTask } from "./TaskFacts.tsx";

/** The service does not say in which unit it states the time between tries. */
export const planOf = ({ taskId, name, assistant, option }: DetailedTask): EarlierPlan => ({
  name: name ?? taskId,
  assistantId: assistant?.assistantId ?? null,
  lineIds: option?.lineIds ?? [],
  periods: option?.periods ?? [],
  retryCount: option?.retryCount ?? null,
  retryIntervalSeconds: null,
  overridesAssistant: false,
  skipDoNotCall: false,
});
