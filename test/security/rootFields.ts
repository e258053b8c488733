// How each root field obeys the access of a viewer to some rows. A field that is missing here fails ownRootFields.test.ts, and one
// that shows rows without a question of accessQuestions.ts fails accessProperty.test.ts.
import { isObjectType } from "graphql";
import { createSubgraph } from "../../src/schema/federation/subgraph.ts";
import { schema } from "../../src/schema/schema.ts";

const list = (text: string) => text.trim().split(/\s+/);

export const rootFields = {
  /** Shows the viewer's own rows. */
  own: list(`Query._entities Query.assistant Query.callEnded Query.callEndedEvents Query.callLog Query.callLogs Query.callStats
    Query.alerts Query.node Query.nodes Query.task Query.tasks Query.tasksByIds Subscription.callEnded Subscription.callEndedStream
    Subscription.recordingSettled Subscription.taskProgress Subscription.alertRaised Mutation.acknowledgeAlert`),
  /** Likewise, for a viewer that sees what it submitted; refused to others with access. */
  ofSubmitters: list(`Query.taskSubmission Query.taskSubmissionByKey Query.taskSubmissions Mutation.checkTask
    Mutation.createTask Subscription.taskSubmission`),
  /** Shows no rows. */
  none: list("Query._service Query.viewer Query.serviceTimeZone"),
  refused:
    list(`Query.alertRules Query.assistants Query.auditEvents Query.destinationLetters Query.destinations Query.doNotCall Query.gateway Query.historyImport Query.lines Query.projections Query.quarantinedDeliveries Query.rawDelivery
    Mutation.addToDoNotCall Mutation.approveTask Mutation.cancelHistoryImport Mutation.createWebhookTest Mutation.declineTask Mutation.discardQuarantined Mutation.forgetPhone Mutation.importHistory Mutation.pauseDestination Mutation.rebuildProjection
    Mutation.removeFromDoNotCall Mutation.resumeDestination Mutation.sendDestinationLetter Mutation.testDestination
    Mutation.reprocessQuarantined Mutation.rereadDeliveries`),
};

/** Those of the subgraph too. */
export function allRootFields(): string[] {
  const graph = createSubgraph(schema);
  return [graph.getQueryType(), graph.getMutationType(), graph.getSubscriptionType()]
    .flatMap((type) =>
      isObjectType(type) ? Object.keys(type.getFields()).map((field) => `${type.name}.${field}`) : [],
    )
    .toSorted();
}
