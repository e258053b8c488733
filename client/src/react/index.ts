"use client";
// switchboard-client/react: hooks over a client. They open connections in the browser only, while a component shows the data,
// and give a server what the browser shows first.
export type { CallPagesState, CallsPage } from "./callPages.ts";
export { SwitchboardProvider, useSwitchboard } from "./context.ts";
export { useCallEnded, type LiveCalls, type LiveCallsOptions } from "./useCallEnded.ts";
export { callsDocument, useCalls, type Calls, type CallsDocument, type CallsOptions } from "./useCalls.ts";
export type { CallsVariables, ListedCall } from "./useCalls.ts";
export { useConnectionState } from "./useConnectionState.ts";
export { useCreateTask, type CreateTask, type CreateTaskState, type UseCreateTaskOptions } from "./useCreateTask.ts";
export { taskDocument, useTask, type LiveTask, type TaskFields } from "./useTask.ts";
