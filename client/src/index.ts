// The client of a Switchboard gateway for browsers and for Node, Deno and Bun.
export type * from "./types.ts";
export type * as graph from "./generated/graph.ts";
export type { CallEnded, CallEndedFilter, CallLog, CreateTaskInput, Recording, Task } from "./generated/graph.ts";
export type { DataOf } from "./dataOf.ts";
export type { CallFields } from "./streams/callDocument.ts";
export { callEndedDocument } from "./streams/callDocument.ts";
export { SwitchboardError } from "./switchboardError.ts";
export type { ClientErrorCode, GraphError, SwitchboardErrorOptions } from "./switchboardError.ts";
export { createSwitchboardClient } from "./createSwitchboardClient.ts";
export { createLocalCursorStore, createLocalKeyStore, createMemoryKeyStore } from "./keyStores.ts";
export { createTaskDocument } from "./tasks/createTask.ts";
export { catchUpDocument } from "./streams/catchUp.ts";
