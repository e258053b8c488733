// Approves or declines a proposal. Both may be repeated: the gateway sends an approved task once.
import { useState } from "react";
import type { SwitchboardError } from "switchboard-client";
import { useSwitchboard } from "switchboard-client/react";
import type { ConsoleApproveTaskMutation, SentTaskFragment } from "../../../gql/graphql.ts";
import { approveTaskDocument, declineTaskDocument } from "../documents.ts";

export type DecisionKind = "approve" | "decline";
type Result = NonNullable<ConsoleApproveTaskMutation["approveTask"]>;

export type DecisionState =
  | { name: "open" }
  /** The viewer is asked whether it means it. */
  | { name: "confirming"; kind: DecisionKind }
  | { name: "busy"; kind: DecisionKind }
  /** The gateway has answered. */
  | { name: "answered"; kind: DecisionKind; result: Result }
  /** It is not known whether the decision arrived. */
  | { name: "unanswered"; kind: DecisionKind; code: string };

export function useDecision(id: string, onResult: (submission: SentTaskFragment) => void) {
  const client = useSwitchboard();
  const [state, setState] = useState<DecisionState>({ name: "open" });

  async function decide(kind: DecisionKind, reason: string | null): Promise<void> {
    setState({ name: "busy", kind });
    try {
      const result = await send(kind, reason);
      if (!result) throw new Error("The gateway gave no result.");
      if (result.submission) onResult(result.submission);
      setState({ name: "answered", kind, result });
    } catch (error) {
      setState({ name: "unanswered", kind, code: (error as Partial<SwitchboardError>).code ?? "INTERNAL" });
    }
  }
  async function send(kind: DecisionKind, reason: string | null): Promise<Result | null> {
    if (kind === "approve") return (await client.mutate(approveTaskDocument, { id })).approveTask;
    return (await client.mutate(declineTaskDocument, { id, reason })).declineTask;
  }
  return {
    state,
    confirm: (kind: DecisionKind) => setState({ name: "confirming", kind }),
    reset: () => setState({ name: "open" }),
    decide,
  };
}
