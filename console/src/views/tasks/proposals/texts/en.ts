import type { Widened } from "../../../../texts/widened.ts";

const people = (n: string): string => (n === "1" ? "1 person" : `${n} people`);

export const en = {
  waiting: "Proposals that wait for approval",
  failed: "The proposals could not be read.",
  none: "No proposal waits.",
  noneHint: "A task that another viewer proposes appears here by itself, and waits for a day.",
  cut: "Only the newest 1,000 submissions were read: there may be further proposals.",
  by: (name: string) => `by ${name}`,
  byYou: "by you",
  you: "you",
  somebody: "another viewer",
  until: "until",
  summary: "What it would do",
  proposedBy: "Proposed by",
  proposedAt: "Proposed",
  leftOut: (n: string) => `${n} left out, in the never-call list`,
  override: "Assistant's settings",
  overrideHint: "changed for this task",
  retries: (n: string, interval: string) => `${n}, ${interval} apart`,
  neverCall: "Never-call list",
  neverCallSkips: "its numbers are left out",
  neverCallRefuses: "a number on it stops the approval",
  decision: "Decision",
  own: "You proposed this task, so you cannot approve it: another viewer with tasks:approve decides.",
  approve: "Approve …",
  approveAgain: "Approve again …",
  decline: "Decline …",
  cancel: "Cancel",
  approveQuestion: (n: string) => `Phone ${people(n)}?`,
  approveHint: "The task is sent to the service at once, and once only. This cannot be taken back.",
  approveConfirm: (n: string) => `Approve and phone ${people(n)}`,
  declineQuestion: "Decline this task?",
  declineHint: "Nobody is phoned, and the gateway erases its phone numbers. This cannot be taken back.",
  reason: "Reason, for the viewer that proposed it (optional)",
  declineConfirm: "Decline and phone nobody",
  deciding: "Waiting for the gateway's answer",
  meanwhile: "It was decided meanwhile, so nothing was sent from here.",
  approved: "You approved it. The steps above show what becomes of it.",
  declined: "You declined it. Nobody is phoned.",
  approvedBefore: (who: string, when: string) =>
    `It had been approved before, by ${who} (${when}). It was sent once; nothing was sent again.`,
  declinedBefore: (who: string, when: string) =>
    `It had been declined before, by ${who} (${when}). Nothing was sent, and nobody is phoned.`,
  expiredBefore: "It expired before your decision. Nothing was sent, and nobody is phoned.",
  unavailable:
    "The service could not be reached or is busy. Nothing was sent; the proposal waits on. Approve it again in a moment.",
  neverCalled: "A number is in the never-call list by now. Nothing was sent; the proposal waits on. Decline it.",
  rejected: "The service refused this task. Nobody is phoned.",
  refused: (message: string) => `It was not done. The gateway says: ${message}`,
  unanswered: "There is no answer, so it is not known whether your decision arrived.",
  unansweredApprove:
    "The gateway's last word is that it waits. This page shows the change as soon as it is known. Approving again is safe: the task is sent once, however often it is approved.",
  unansweredDecline:
    "The gateway's last word is that it waits. This page shows the change as soon as it is known. Declining again is safe.",
  stepProposed: "Proposed",
  stepWaiting: "Waits for the approval of another viewer",
  stepWaitingHint: (when: string, service: string) =>
    `It expires at ${when} (${service} at the service). Nobody is phoned before it is approved.`,
  stepApproved: (who: string) => `Approved by ${who}`,
  stepDeclined: (who: string) => `Declined by ${who}`,
  stepExpired: "Expired without an approval",
  stepUnsent: "Nothing was sent, and nobody is phoned.",
  stepReason: (reason: string) => `Reason: ${reason}`,
};

export type ProposalTexts = Widened<typeof en>;
