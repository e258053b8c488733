// What is shown of a proposal: its summary, what it changes of the assistant, and how it was decided.
import { SEEING_SUBMISSIONS } from "../auth/scopes.ts";
import { assistant } from "../resolvers/assistant.ts";
import { decidedBy, proposedOverride, type ProposalOfSubmission } from "../resolvers/submissions.ts";
import type { AssistantOverride as Override } from "../tasks/submissionService.ts";
import { Assistant } from "./assistant.ts";
import { builder, needs, rows } from "./builder.ts";
import { Language } from "./enums.ts";
import { CountryCount, TaskSchedule } from "./taskSchedule.ts";

const AssistantOverride = builder.objectRef<Override>("AssistantOverride").implement({
  description:
    "What a proposed task changes of its assistant. A field is null where the assistant's own setting stays.",
  ...needs(SEEING_SUBMISSIONS),
  fields: (t) => ({
    welcome: t.string({
      description: "The opening line.",
      resolve: ({ globalConfig }) => globalConfig?.welcome,
    }),
    changesPrompt: t.boolean({
      nullable: false,
      description: "Whether the system prompt is another one.",
      resolve: ({ globalConfig }) => globalConfig?.prompt != null,
    }),
    prompt: t.string({
      description: "The system prompt. Needs the scope assistants:prompts.",
      ...needs("assistants:prompts"),
      resolve: ({ globalConfig }) => globalConfig?.prompt,
    }),
    language: t.field({
      type: Language,
      description: "The language it speaks.",
      resolve: ({ globalConfig }) => globalConfig?.language,
    }),
    speakerId: t.exposeID("speakerId", { description: "The service's ID of its voice." }),
  }),
});

export const TaskProposal = builder.objectRef<ProposalOfSubmission>("TaskProposal").implement({
  description: "A task that waits for an approval, or waited for one: what it would do, without its phone numbers.",
  ...needs(SEEING_SUBMISSIONS),
  fields: (t) => ({
    expiresAt: t.expose("expiresAt", {
      type: "DateTime",
      nullable: false,
      description: "When it expires, if nobody decides.",
    }),
    lineIds: t.idList({
      nullable: false,
      description: "The IDs of the outgoing lines.",
      resolve: ({ summary }) => summary.lineIds,
    }),
    periods: t.field({
      type: t.listRef(t.listRef("String")),
      nullable: false,
      description: "The times of day at which calls are made, as the input has them.",
      resolve: ({ summary }) => summary.periods,
    }),
    startDate: t.string({
      nullable: false,
      description: "The first day of calls, as the input has it.",
      resolve: ({ summary }) => summary.startDate,
    }),
    schedule: t.field({
      type: TaskSchedule,
      nullable: false,
      description: "When it would call, if it were approved now.",
      resolve: ({ summary }, _, { describeSchedule }) => describeSchedule(summary),
    }),
    countries: t.field({
      type: [CountryCount],
      description:
        "Its people by country code, the most first. Null where an earlier version of the gateway stored it.",
      resolve: ({ summary }) => summary.countries,
    }),
    retryCount: t.int({
      nullable: false,
      description: "Number of retries.",
      resolve: ({ summary }) => summary.retryCount,
    }),
    retryIntervalSeconds: t.int({
      nullable: false,
      description: "Time between retries in seconds.",
      resolve: ({ summary }) => summary.retryIntervalSeconds,
    }),
    overridesAssistant: t.boolean({
      nullable: false,
      description: "Whether the task changes the assistant's settings (assistantOverride).",
      resolve: ({ summary }) => summary.overridesAssistant,
    }),
    assistantOverride: t.field({
      type: AssistantOverride,
      description:
        "What people will hear in the place of the assistant's own words. Null: the assistant stays as it is, or the proposal is decided, and its input is erased.",
      ...rows(1),
      resolve: (proposal, _, context) => proposedOverride(proposal, context),
    }),
    assistant: t.field({
      type: Assistant,
      description:
        "The version of the assistant that was seen last, to compare with. Null where the gateway saw no task that uses it.",
      ...rows(1),
      resolve: ({ submission: { assistantId } }, _, context) => assistant({ assistantId }, context),
    }),
    skipDoNotCall: t.boolean({
      nullable: false,
      description: "Whether numbers of the never-call list are left out; otherwise such a number refuses the approval.",
      resolve: ({ summary }) => summary.skipsDoNotCall,
    }),
    decidedAt: t.expose("decidedAt", {
      type: "DateTime",
      description: "When it was approved or declined, or expired. Null while it waits.",
    }),
    decidedBy: t.string({
      description:
        "The viewer that approved or declined it. Null if nobody did, and for viewers that may not see submittedBy.",
      resolve: decidedBy,
    }),
    declineReason: t.exposeString("declineReason", { description: "The reason that declineTask was given." }),
  }),
});
