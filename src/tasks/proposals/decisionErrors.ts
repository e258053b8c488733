// Why a proposal is not approved or declined.
import type { SubmitError } from "../submitResult.ts";

export const notProposed: SubmitError = {
  code: "NOT_PROPOSED",
  message: "No proposal has this id: the gateway does not know it, or the task was sent without an approval.",
  path: [],
};
export const ownProposal: SubmitError = {
  code: "OWN_PROPOSAL",
  message: "A viewer may not approve its own proposal. Nothing was sent; another viewer with tasks:approve decides.",
  path: [],
};
export const keyIsGone: SubmitError = {
  code: "NOT_ALLOWED",
  message:
    "The key that proposed the task was removed, or may not propose such a task any more. Nothing was sent; decline the task.",
  path: [],
};
export const policiesChanged: SubmitError = {
  code: "NOT_ALLOWED",
  message:
    "The policies of tokens (TOKEN_POLICY_FILE) changed since a token proposed the task, or an earlier version of the gateway kept it without them, and nobody knows what it may do now. Nothing was sent; decline the task, and have it proposed again.",
  path: [],
};
export const approved: SubmitError = {
  code: "APPROVED",
  message: "The task was approved before, and may have been sent. It cannot be declined any more.",
  path: [],
};
