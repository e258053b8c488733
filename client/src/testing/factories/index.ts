// One factory for each object type of the graph. A factory gives every field a value; what the caller gives comes first.
import type { ObjectTypes } from "../../generated/testingGraph.ts";
import * as administration from "./administration.ts";
import * as alerts from "./alerts.ts";
import * as choices from "./choices.ts";
import * as destinations from "./destinations.ts";
import * as entities from "./entities.ts";
import type { Factory } from "./factory.ts";
import * as recipients from "./recipients.ts";
import * as submissions from "./submissions.ts";
import * as values from "./values.ts";

export type { Factory } from "./factory.ts";
export * from "./administration.ts";
export * from "./alerts.ts";
export * from "./choices.ts";
export * from "./destinations.ts";
export * from "./entities.ts";
export * from "./recipients.ts";
export * from "./submissions.ts";
export * from "./values.ts";

type Factories = { [Name in keyof ObjectTypes as Uncapitalize<Name>]: Factory<ObjectTypes[Name]> };

/** The factories by name. A type of the graph without a factory is a type error here. */
export const factories: Factories = {
  ...administration,
  ...alerts,
  ...choices,
  ...destinations,
  ...entities,
  ...recipients,
  ...submissions,
  ...values,
};
