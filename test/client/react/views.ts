// A component for each hook. It calls `show` with what the hook returns, and renders that as text.
import { createElement, type ReactElement } from "react";
import { createLocalKeyStore } from "../../../client/src/index.ts";
import {
  useCallEnded,
  useCalls,
  useConnectionState,
  useCreateTask,
  useTask,
  type CallsOptions,
  type LiveCallsOptions,
} from "../../../client/src/react/index.ts";

interface View {
  show?: ((result: unknown) => void) | undefined;
}

function shown(result: unknown, { show }: View): ReactElement {
  show?.(result);
  return createElement("pre", null, JSON.stringify(result));
}

export const views = {
  live: ({ show, ...options }: View & LiveCallsOptions<{ sessionId: string; cursor: string }>) =>
    shown(useCallEnded({ fields: "sessionId cursor", ...options }), { show }),
  calls: ({ show, ...options }: View & CallsOptions) => shown(useCalls(options), { show }),
  task: ({ show, taskId = null }: View & { taskId?: string | null }) => shown(useTask(taskId), { show }),
  form: ({ show, name }: View & { name?: string }) =>
    shown(useCreateTask({ name, keyStore: createLocalKeyStore() }), { show }),
  connection: ({ show, paused }: View & { paused?: boolean }) => {
    useCallEnded({ paused });
    return shown(useConnectionState(), { show });
  },
};
