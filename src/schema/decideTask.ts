// Mutation.approveTask and Mutation.declineTask.
import { submissionKey } from "../resolvers/submissions.ts";
import { readReason } from "../resolvers/inputRules.ts";
import type { SubmitResult } from "../tasks/submitResult.ts";
import { builder, needs, requests, rows } from "./builder.ts";
import { CreateTaskError } from "./createTask.ts";
import { TaskSubmission } from "./taskSubmissions.ts";

const TaskDecisionPayload = builder.objectRef<SubmitResult>("TaskDecisionPayload").implement({
  description: "The result of approveTask or declineTask.",
  ...needs("tasks:approve"),
  fields: (t) => ({
    submission: t.expose("submission", {
      type: TaskSubmission,
      description: "The submission, as it is now. Null where the id is of no proposal.",
    }),
    replayed: t.exposeBoolean("replayed", {
      nullable: false,
      description: "It had been decided so before: this is the first result, and nothing was sent again.",
    }),
    errors: t.expose("errors", {
      type: [CreateTaskError],
      nullable: false,
      description: "Why it was not approved or not declined. Empty on success.",
    }),
  }),
});

const idArg = { required: true, description: "The id of a TaskSubmission that is PROPOSED." } as const;

builder.mutationFields((t) => ({
  approveTask: t.field({
    type: TaskDecisionPayload,
    description:
      "Approves a proposed task of another viewer, and sends it once. The limits of the viewer that proposed it and the never-call list are applied again. It is safe to repeat. Needs the scope tasks:approve.",
    ...needs("tasks:approve", requests(1)),
    args: { id: t.arg.id(idArg) },
    resolve: (_, { id }, { approveTask, viewer }) => approveTask(viewer, submissionKey(id)),
  }),
  declineTask: t.field({
    type: TaskDecisionPayload,
    description:
      "Declines a proposed task: nothing is sent, and the gateway erases its numbers. It is safe to repeat. Needs the scope tasks:approve.",
    ...needs("tasks:approve", rows(1)),
    args: {
      id: t.arg.id(idArg),
      reason: t.arg.string({ description: "For the viewer that proposed it; at most 1000 characters." }),
    },
    resolve: (_, { id, reason }, { declineTask, viewer }) => declineTask(viewer, submissionKey(id), readReason(reason)),
  }),
}));
