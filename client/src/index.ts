// The client of a Switchboard gateway for browsers and for Node, Deno and Bun.
export type * from "./types.ts";
export type * as graph from "./generated/graph.ts";
export type { CallEnded, CallEndedFilter, CallLog, CreateTaskInput, Recording, Task } from "./generated/graph.ts";
export type { CallFields } from "./callDocument.ts";
export { callEndedDocument } from "./callDocument.ts";
export { SwitchboardError } from "./switchboardError.ts";
export type { ClientErrorCode, GraphError, SwitchboardErrorOptions } from "./switchboardError.ts";
