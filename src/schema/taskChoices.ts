// Query.assistants and Query.lines: what a form for a new task offers.
import {
  assistantChoices,
  assistantName,
  latestVersion,
  lineChoices,
  type AssistantChoice,
  type Choice,
  type ChoiceList,
} from "../resolvers/taskChoices.ts";
import { MAX_LISTED_VERSIONS } from "../store/tasks/seenAssistants.ts";
import { Assistant } from "./assistant.ts";
import { builder, needs, page, rows, scannedPage } from "./builder.ts";
import { FIRST } from "./descriptions.ts";
import { KnownFrom } from "./enums.ts";

const KNOWN_FROM = "Where the gateway knows it from. At least one value.";
const LAST_MET =
  "When a task showed it last, or a submission with it was accepted. Null where only the setting names it.";
const MORE = "Whether more are known than first. The list does not show them: raise first, or name the wanted ones.";

const KnownAssistant = builder.objectRef<AssistantChoice>("KnownAssistant").implement({
  description: "An assistant that a new task can name.",
  ...needs("calls:read"),
  fields: (t) => ({
    assistantId: t.exposeID("id", { nullable: false, description: "The service's ID of the assistant." }),
    name: t.string({
      description:
        "The name in KNOWN_ASSISTANTS, or else that of the version that a task showed last. Null where neither has one.",
      ...rows(1),
      resolve: (choice, _, context) => assistantName(choice, context),
    }),
    latestVersion: t.field({
      type: Assistant,
      description: "The version that a task showed last. Null where no task showed one.",
      ...rows(1),
      resolve: (choice, _, context) => latestVersion(choice, context),
    }),
    versionIds: t.exposeIDList("versionIds", {
      nullable: false,
      description: `The service's IDs of the versions that tasks showed, the last shown first, at most ${MAX_LISTED_VERSIONS}.`,
    }),
    knownFrom: t.expose("knownFrom", { type: [KnownFrom], nullable: false, description: KNOWN_FROM }),
    lastMetAt: t.expose("seenAt", { type: "DateTime", description: LAST_MET }),
  }),
});

const KnownLine = builder.objectRef<Choice>("KnownLine").implement({
  description: "An outgoing line that a new task can name.",
  ...needs("calls:read"),
  fields: (t) => ({
    lineId: t.exposeID("id", { nullable: false, description: "The service's ID of the line." }),
    name: t.exposeString("name", {
      description: "The name in KNOWN_LINES. Null where that does not name it: the service states no names of lines.",
    }),
    knownFrom: t.expose("knownFrom", { type: [KnownFrom], nullable: false, description: KNOWN_FROM }),
    lastMetAt: t.expose("seenAt", { type: "DateTime", description: LAST_MET }),
  }),
});

const KnownAssistants = builder.objectRef<ChoiceList<AssistantChoice>>("KnownAssistants").implement({
  description: "The known assistants.",
  fields: (t) => ({
    nodes: t.expose("nodes", { type: [KnownAssistant], nullable: false, description: "The assistants." }),
    hasMore: t.exposeBoolean("hasMore", { nullable: false, description: MORE }),
  }),
});

const KnownLines = builder.objectRef<ChoiceList<Choice>>("KnownLines").implement({
  description: "The known lines.",
  fields: (t) => ({
    nodes: t.expose("nodes", { type: [KnownLine], nullable: false, description: "The lines." }),
    hasMore: t.exposeBoolean("hasMore", { nullable: false, description: MORE }),
  }),
});

const ORDER =
  "Those named in the setting come first, in its order, then the others, the last seen first. The service has no such list, and is not asked.";

builder.queryFields((t) => ({
  assistants: t.field({
    type: KnownAssistants,
    description: `The assistants that KNOWN_ASSISTANTS names, and those that tasks and accepted submissions showed. ${ORDER}`,
    ...scannedPage,
    args: { first: t.arg.int({ required: true, defaultValue: 100, description: FIRST }) },
    resolve: (_, args, context) => assistantChoices(args, context),
  }),
  lines: t.field({
    type: KnownLines,
    description: `The outgoing lines that KNOWN_LINES names, and those that tasks and accepted submissions showed. ${ORDER}`,
    ...page,
    args: { first: t.arg.int({ required: true, defaultValue: 100, description: FIRST }) },
    resolve: (_, args, context) => lineChoices(args, context),
  }),
}));
