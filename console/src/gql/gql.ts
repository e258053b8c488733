/* eslint-disable */
import * as types from './graphql.ts';



/**
 * Map of all GraphQL operations in the project.
 *
 * This map has several performance disadvantages:
 * 1. It is not tree-shakeable, so it will include all operations in the project.
 * 2. It is not minifiable, so the string of a GraphQL query will be multiple times inside the bundle.
 * 3. It does not support dead code elimination, so it will add unused operations.
 *
 * Therefore it is highly recommended to use the babel or swc plugin for production.
 * Learn more about it here: https://the-guild.dev/graphql/codegen/plugins/presets/preset-client#reducing-bundle-size
 */
type Documents = {
    "\n  query ConsoleOpenAlerts($language: AlertLanguage!, $taskIds: [ID!]) {\n    alerts(first: 50, filter: { open: true, taskIds: $taskIds }) {\n      pageInfo {\n        hasNextPage\n      }\n      nodes {\n        id\n        rule\n        text(language: $language)\n        taskId\n        destination\n        raisedAt\n        acknowledgedAt\n        acknowledgedBy\n      }\n    }\n  }\n": typeof types.ConsoleOpenAlertsDocument,
    "\n  mutation ConsoleAcknowledge($id: ID!) {\n    acknowledgeAlert(id: $id) {\n      id\n      acknowledgedAt\n      acknowledgedBy\n    }\n  }\n": typeof types.ConsoleAcknowledgeDocument,
    "\n  query ConsoleCall($sessionId: ID!, $people: Boolean!, $recordings: Boolean!) {\n    callEnded(sessionId: $sessionId) {\n      ...CallDetails\n      extra @include(if: $people)\n      recording {\n        id\n        status\n        failure\n        bytes\n        url @include(if: $recordings)\n        urlExpiresAt @include(if: $recordings)\n      }\n      task {\n        id\n        name\n        status\n      }\n    }\n  }\n\n  fragment CallDetails on CallEnded {\n    id\n    cursor\n    sessionId\n    source\n    receivedAt\n    revision\n    direction\n    caller\n    callee\n    startAt\n    answerAt\n    endAt\n    duration\n    billsec\n    ringTime\n    answered\n    hangupSide\n    hungUpBy\n    hangupReason\n    taskId\n    taskItemId\n    assistants {\n      assistantId\n      versionId\n      assistant {\n        id\n        name\n      }\n    }\n    unread {\n      field\n      text\n    }\n  }\n": typeof types.ConsoleCallDocument,
    "\n  query ConsoleListedCall($sessionId: ID!, $around: DateTime, $recordings: Boolean!) {\n    callLog(sessionId: $sessionId, around: $around) {\n      sessionId\n      direction\n      caller\n      callee\n      startAt\n      answerAt\n      endAt\n      duration\n      billsec\n      answered\n      taskId\n      recordFile @include(if: $recordings)\n      recording {\n        id\n        status\n        failure\n        bytes\n        url @include(if: $recordings)\n        urlExpiresAt @include(if: $recordings)\n      }\n      task {\n        id\n        name\n        status\n      }\n      assistants {\n        assistantId\n        versionId\n        assistant {\n          id\n          name\n        }\n      }\n      unread {\n        field\n        text\n      }\n    }\n  }\n": typeof types.ConsoleListedCallDocument,
    "\n  query ConsoleRevisions($filter: CallEndedFilter!) {\n    callEndedEvents(first: 100, filter: $filter, revisions: true) {\n      nodes {\n        sessionId\n        revision\n        source\n        receivedAt\n      }\n    }\n  }\n": typeof types.ConsoleRevisionsDocument,
    "\n  query ConsoleAttempts($filter: CallEndedFilter!) {\n    callEndedEvents(first: 10, order: NEWEST_FIRST, filter: $filter) {\n      pageInfo {\n        hasNextPage\n      }\n      nodes {\n        sessionId\n        source\n        direction\n        startAt\n        answerAt\n        endAt\n        answered\n        hangupSide\n        hungUpBy\n        hangupReason\n        unread {\n          field\n          text\n        }\n      }\n    }\n  }\n": typeof types.ConsoleAttemptsDocument,
    "\n  query ConsoleNames {\n    assistants(first: 100) {\n      nodes {\n        assistantId\n        name\n      }\n    }\n  }\n": typeof types.ConsoleNamesDocument,
    "\n  query ConsoleTaskNames($taskIds: [ID!]!) {\n    tasksByIds(taskIds: $taskIds) {\n      taskId\n      name\n    }\n  }\n": typeof types.ConsoleTaskNamesDocument,
    "\n  query ConsoleKnownTasks {\n    tasks(first: 50) {\n      nodes {\n        taskId\n        name\n      }\n    }\n  }\n": typeof types.ConsoleKnownTasksDocument,
    "\n  query ConsoleSession {\n    viewer {\n      name\n      scopes\n    }\n    serviceTimeZone\n  }\n": typeof types.ConsoleSessionDocument,
    "\n  query ConsoleReachable {\n    viewer {\n      name\n    }\n  }\n": typeof types.ConsoleReachableDocument,
    "\n  query ConsoleFacts($calls: Boolean!) {\n    gateway {\n      upstream\n      serviceFailingSince\n      tokenRefused\n      timesAheadMinutes\n      webhooks {\n        lastAcceptedAt\n        acceptedLastMinute\n        refusedLastMinute\n        unreadableInARow\n        refused {\n          since\n          count\n          reasons {\n            reason\n            count\n          }\n        }\n      }\n    }\n    callEndedEvents(first: 10, order: NEWEST_FIRST, imported: false) @include(if: $calls) {\n      nodes {\n        source\n      }\n    }\n  }\n": typeof types.ConsoleFactsDocument,
    "\n  query ConsoleServiceAnswers {\n    callLogs(first: 1) {\n      totalCount\n    }\n  }\n": typeof types.ConsoleServiceAnswersDocument,
    "\n  query ConsoleAudit($first: Int!, $after: String, $filter: AuditEventFilter) {\n    auditEvents(first: $first, after: $after, filter: $filter) {\n      nodes {\n        ...AuditEntry\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n\n  fragment AuditEntry on AuditEvent {\n    id\n    at\n    actor\n    action\n    count\n    subjectId\n    via\n    tool\n    client\n  }\n": typeof types.ConsoleAuditDocument,
    "\n  query ConsoleAuditEntry($id: ID!) {\n    node(id: $id) {\n      __typename\n      ... on AuditEvent {\n        ...AuditEntry\n      }\n    }\n  }\n": typeof types.ConsoleAuditEntryDocument,
    "\n  query ConsoleAuditedCall($id: ID!) {\n    node(id: $id) {\n      ... on CallEnded {\n        sessionId\n      }\n      ... on Recording {\n        sessionId\n      }\n    }\n  }\n": typeof types.ConsoleAuditedCallDocument,
    "\n  query ConsoleCalls($first: Int!, $after: String, $filter: CallLogFilter!, $byPhone: Boolean!) {\n    callLogs(first: $first, after: $after, filter: $filter) {\n      totalCount\n      driftDetected\n      headCursor\n      phoneWritings @include(if: $byPhone) {\n        text\n        totalCount\n      }\n      pageInfo {\n        endCursor\n        hasNextPage\n      }\n      nodes {\n        ...ListedCall\n      }\n    }\n  }\n\n  fragment ListedCall on CallLog {\n    id\n    sessionId\n    taskId\n    direction\n    caller\n    callee\n    startAt\n    answerAt\n    endAt\n    answered\n    assistants {\n      assistantId\n    }\n    callEnded {\n      source\n      hungUpBy\n      hangupReason\n    }\n    unread {\n      field\n      text\n    }\n  }\n": typeof types.ConsoleCallsDocument,
    "\n  query ConsoleExport($first: Int!, $after: String, $filter: CallLogFilter!, $people: Boolean!) {\n    callLogs(first: $first, after: $after, filter: $filter) {\n      totalCount\n      driftDetected\n      pageInfo {\n        endCursor\n        hasNextPage\n      }\n      nodes {\n        ...ExportedCall\n      }\n    }\n  }\n\n  fragment ExportedCall on CallLog {\n    sessionId\n    taskId\n    direction\n    caller\n    callee\n    startAt\n    answerAt\n    endAt\n    duration\n    billsec\n    answered\n    assistants {\n      assistantId\n      versionId\n    }\n    callEnded {\n      source\n      hangupSide\n      hungUpBy\n      hangupReason\n      ringTime\n      taskItemId\n      extra @include(if: $people)\n    }\n    unread {\n      field\n      text\n    }\n  }\n": typeof types.ConsoleExportDocument,
    "\n  subscription ConsoleEndedSince($after: String, $filter: CallEndedFilter) {\n    callEndedStream(after: $after, filter: $filter) {\n      __typename\n      cursor\n      ... on StreamGap {\n        after\n      }\n      ... on CallEnded {\n        sessionId\n      }\n    }\n  }\n": typeof types.ConsoleEndedSinceDocument,
    "\n  query ConsoleDestinations {\n    destinations {\n      ...ConsoleDestination\n    }\n  }\n\n  fragment ConsoleDestination on Destination {\n    name\n    kind\n    getsCalls\n    url\n    order\n    enabled\n    state\n    disabledFor\n    cursor\n    lag\n    waitingAlerts\n    failures\n    failingSince\n    secondsToNext\n    delivered\n    skipped\n    waitingLetters\n    deadLetters\n    lastAnswer {\n      at\n      status\n      text\n    }\n  }\n": typeof types.ConsoleDestinationsDocument,
    "\n  query ConsoleDestinationLetters($name: String!, $after: String) {\n    destinationLetters(name: $name, first: 20, after: $after) {\n      cursor\n      attempts\n      firstAt\n      secondsToNext\n      event {\n        sessionId\n        endAt\n        caller\n        callee\n        answered\n      }\n      lastAnswer {\n        at\n        status\n        text\n      }\n    }\n  }\n": typeof types.ConsoleDestinationLettersDocument,
    "\n  mutation ConsolePauseDestination($name: String!) {\n    pauseDestination(name: $name) {\n      name\n    }\n  }\n": typeof types.ConsolePauseDestinationDocument,
    "\n  mutation ConsoleResumeDestination($name: String!, $after: String, $since: DateTime) {\n    resumeDestination(name: $name, after: $after, since: $since) {\n      name\n    }\n  }\n": typeof types.ConsoleResumeDestinationDocument,
    "\n  mutation ConsoleTestDestination($name: String!) {\n    testDestination(name: $name) {\n      at\n      status\n      text\n    }\n  }\n": typeof types.ConsoleTestDestinationDocument,
    "\n  mutation ConsoleSendLetter($name: String!, $cursor: String!) {\n    sendDestinationLetter(name: $name, cursor: $cursor)\n  }\n": typeof types.ConsoleSendLetterDocument,
    "\n  query ConsoleGatewayStatus {\n    gateway {\n      version\n      subscribers\n      quarantined\n      eventNames {\n        name\n        isEnd\n      }\n      events {\n        events\n        reconciled\n        lastReceivedAt\n        newestCursor\n      }\n      recordings {\n        archived\n        pending\n        lost\n      }\n    }\n  }\n": typeof types.ConsoleGatewayStatusDocument,
    "\n  query ConsoleAgentUses {\n    gateway {\n      agentUses {\n        viewer\n        client\n        tool\n        calls\n        failed\n        lastAt\n      }\n    }\n  }\n": typeof types.ConsoleAgentUsesDocument,
    "\n  query ConsoleGatewayDay {\n    gateway {\n      lastDay {\n        start\n        webhooks\n        reconciled\n        unreadable\n        meanDelaySeconds\n      }\n    }\n  }\n": typeof types.ConsoleGatewayDayDocument,
    "\n  query ConsoleNewestCall {\n    callEndedEvents(first: 1, order: NEWEST_FIRST, imported: false) {\n      nodes {\n        endAt\n        receivedAt\n      }\n    }\n  }\n": typeof types.ConsoleNewestCallDocument,
    "\n  query ConsoleQuarantine($after: String, $kind: QuarantineKind!) {\n    quarantinedDeliveries(first: 20, after: $after, kind: $kind) {\n      nodes {\n        id\n        receivedAt\n        kind\n        reason\n        charset\n        body\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": typeof types.ConsoleQuarantineDocument,
    "\n  mutation ConsoleReprocess($id: ID!, $charset: String) {\n    reprocessQuarantined(id: $id, charset: $charset) {\n      reason\n      event {\n        sessionId\n      }\n    }\n  }\n": typeof types.ConsoleReprocessDocument,
    "\n  mutation ConsoleDiscard($id: ID!) {\n    discardQuarantined(id: $id) {\n      delivery {\n        id\n      }\n    }\n  }\n": typeof types.ConsoleDiscardDocument,
    "\n  query ConsoleHistoryImport {\n    gateway {\n      lacksHistory\n    }\n    historyImport {\n      state\n      problem\n      progress\n      secondsLeft\n      windows\n      calls\n      tooOld\n      leftOut\n    }\n  }\n": typeof types.ConsoleHistoryImportDocument,
    "\n  mutation ConsoleImportHistory($since: DateTime!) {\n    importHistory(since: $since) {\n      isNew\n    }\n  }\n": typeof types.ConsoleImportHistoryDocument,
    "\n  mutation ConsoleCancelImport {\n    cancelHistoryImport {\n      state\n    }\n  }\n": typeof types.ConsoleCancelImportDocument,
    "\n  mutation ConsoleWebhookTest {\n    createWebhookTest {\n      authorization\n      path\n      bytes\n    }\n  }\n": typeof types.ConsoleWebhookTestDocument,
    "\n  query ConsoleHistoryHint {\n    gateway {\n      lacksHistory\n    }\n  }\n": typeof types.ConsoleHistoryHintDocument,
    "\n  query ConsoleLiveStart($filter: CallEndedFilter) {\n    callEndedEvents(first: 100, order: NEWEST_FIRST, filter: $filter, imported: false) {\n      headCursor\n      nodes {\n        ...LiveCall\n      }\n    }\n  }\n\n  fragment LiveCall on CallEnded {\n    __typename\n    cursor\n    sessionId\n    source\n    receivedAt\n    direction\n    caller\n    callee\n    answerAt\n    endAt\n    answered\n    hangupSide\n    hungUpBy\n    hangupReason\n    taskId\n    assistants {\n      assistantId\n    }\n    unread {\n      field\n      text\n    }\n  }\n": typeof types.ConsoleLiveStartDocument,
    "\n  subscription ConsoleLive($after: String, $filter: CallEndedFilter) {\n    callEndedStream(after: $after, filter: $filter) {\n      __typename\n      cursor\n      ... on StreamGap {\n        after\n      }\n      ... on CallEnded {\n        ...LiveCall\n      }\n    }\n  }\n": typeof types.ConsoleLiveDocument,
    "\n  query ConsoleLiveCharts($filter: CallEndedFilter!, $timeZone: String!) {\n    callStats(filter: $filter) {\n      calls\n      answered\n      timeline(bucket: MINUTE, timeZone: $timeZone) {\n        start\n        calls\n        answered\n      }\n      byHangupReason(first: 5) {\n        reason\n        calls\n        answered\n      }\n    }\n  }\n": typeof types.ConsoleLiveChartsDocument,
    "\n  mutation ConsoleForgetPhone($number: String!, $neverCall: Boolean!, $dryRun: Boolean!) {\n    forgetPhone(number: $number, addToDoNotCall: $neverCall, dryRun: $dryRun) {\n      calls\n      events\n      rawDeliveries\n      recordings\n      quarantined\n      submissions\n      proposals\n    }\n  }\n": typeof types.ConsoleForgetPhoneDocument,
    "\n  query ConsoleNeverCallCount {\n    doNotCall {\n      count\n    }\n  }\n": typeof types.ConsoleNeverCallCountDocument,
    "\n  query ConsoleNeverCallNumber($number: String!) {\n    doNotCall {\n      contains(number: $number)\n    }\n  }\n": typeof types.ConsoleNeverCallNumberDocument,
    "\n  mutation ConsoleAddNeverCall($numbers: [String!]!) {\n    addToDoNotCall(numbers: $numbers) {\n      changed\n      unreadable\n    }\n  }\n": typeof types.ConsoleAddNeverCallDocument,
    "\n  mutation ConsoleRemoveNeverCall($numbers: [String!]!) {\n    removeFromDoNotCall(numbers: $numbers) {\n      changed\n      unreadable\n    }\n  }\n": typeof types.ConsoleRemoveNeverCallDocument,
    "\n  query ConsoleStatistics(\n    $filter: CallEndedFilter!\n    $before: CallEndedFilter!\n    $bucket: TimeBucket!\n    $timeZone: String!\n  ) {\n    callStats(filter: $filter) {\n      calls\n      answered\n      numbersCalled\n      numbersReached\n      timeline(bucket: $bucket, timeZone: $timeZone) {\n        start\n        calls\n        answered\n      }\n      byTask(first: 10) {\n        taskId\n        calls\n        answered\n      }\n      byHangupReason(first: 10) {\n        reason\n        calls\n        answered\n      }\n      byAssistant(first: 10) {\n        assistantId\n        calls\n        answered\n      }\n    }\n    before: callStats(filter: $before) {\n      calls\n      answered\n      numbersCalled\n      numbersReached\n    }\n    log: callStats {\n      since\n    }\n  }\n": typeof types.ConsoleStatisticsDocument,
    "\n  query ConsoleTasks($after: String) {\n    tasks(first: 25, after: $after) {\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      nodes {\n        ...ListedTask\n      }\n    }\n  }\n\n  fragment ListedTask on Task {\n    id\n    taskId\n    name\n    status\n    progress\n    total\n    createdAt\n    callStats {\n      numbersCalled\n      numbersReached\n    }\n    unread {\n      field\n      text\n    }\n  }\n": typeof types.ConsoleTasksDocument,
    "\n  query ConsoleChangedTasks($taskIds: [ID!]!) {\n    tasksByIds(taskIds: $taskIds) {\n      ...ListedTask\n    }\n  }\n": typeof types.ConsoleChangedTasksDocument,
    "\n  subscription ConsoleEndedTaskCalls($after: String) {\n    callEndedStream(after: $after) {\n      __typename\n      cursor\n      ... on StreamGap {\n        after\n      }\n      ... on CallEnded {\n        taskId\n      }\n    }\n  }\n": typeof types.ConsoleEndedTaskCallsDocument,
    "\n  query ConsoleSentTasks {\n    taskSubmissions(first: 20) {\n      nodes {\n        id\n        name\n        status\n        numberCount\n        submittedAt\n      }\n    }\n  }\n": typeof types.ConsoleSentTasksDocument,
    "\n  subscription ConsoleTask($taskId: ID!, $timeZone: String!) {\n    taskProgress(taskId: $taskId) {\n      ...ListedTask\n      updatedAt\n      collectionRate\n      summary\n      suggestion\n      assistant {\n        id\n        assistantId\n        versionId\n        name\n      }\n      option {\n        lineIds\n        periods\n        startDate\n        retryCount\n        retryInterval\n      }\n      taskCalls: callStats {\n        calls\n        answered\n        since\n        byHangupReason(first: 8) {\n          reason\n          calls\n        }\n        timeline(bucket: HOUR, timeZone: $timeZone) {\n          start\n          calls\n          answered\n        }\n      }\n    }\n  }\n": typeof types.ConsoleTaskDocument,
    "\n  query ConsoleTaskPeople($taskId: ID!) {\n    task(taskId: $taskId) {\n      recipientCounts {\n        recipients\n        byOutcome {\n          outcome\n          recipients\n        }\n      }\n    }\n  }\n": typeof types.ConsoleTaskPeopleDocument,
    "\n  query ConsoleTalks($taskId: ID!, $after: String) {\n    callEndedEvents(first: 100, after: $after, filter: { taskIds: [$taskId], answered: true }) {\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      nodes {\n        taskItemId\n        answerAt\n        endAt\n      }\n    }\n  }\n": typeof types.ConsoleTalksDocument,
    "\n  subscription ConsoleSubmission($id: ID!) {\n    taskSubmission(id: $id) {\n      ...SentTask\n    }\n  }\n\n  fragment SentTask on TaskSubmission {\n    id\n    name\n    status\n    assistantId\n    numberCount\n    leftOutCount\n    submittedAt\n    submittedBy\n    taskId\n    matchedBy\n    calledAgainFrom {\n      leftOut {\n        reason\n        people\n      }\n      withoutVariables\n    }\n    proposal {\n      expiresAt\n      lineIds\n      periods\n      startDate\n      retryCount\n      retryIntervalSeconds\n      overridesAssistant\n      skipDoNotCall\n      decidedAt\n      decidedBy\n      declineReason\n    }\n  }\n": typeof types.ConsoleSubmissionDocument,
    "\n  query ConsoleProposedWords($id: ID!, $reads: Boolean!, $prompts: Boolean!) {\n    taskSubmission(id: $id) {\n      id\n      proposal {\n        assistantOverride {\n          welcome\n          changesPrompt\n          prompt @include(if: $prompts)\n          language\n          speakerId\n        }\n        assistant @include(if: $reads) {\n          id\n          welcome\n          prompt @include(if: $prompts)\n          speakerId\n        }\n      }\n    }\n  }\n": typeof types.ConsoleProposedWordsDocument,
    "\n  query ConsoleSubmissionByKey($key: String!) {\n    taskSubmissionByKey(idempotencyKey: $key) {\n      ...SentTask\n    }\n  }\n": typeof types.ConsoleSubmissionByKeyDocument,
    "\n  query ConsoleTaskChoices {\n    assistants(first: 100) {\n      hasMore\n      nodes {\n        assistantId\n        name\n        knownFrom\n      }\n    }\n    lines(first: 100) {\n      hasMore\n      nodes {\n        lineId\n        name\n        knownFrom\n      }\n    }\n  }\n": typeof types.ConsoleTaskChoicesDocument,
    "\n  query ConsoleProposals($after: String) {\n    taskSubmissions(first: 100, after: $after) {\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      nodes {\n        id\n        name\n        status\n        numberCount\n        submittedAt\n        submittedBy\n        proposal {\n          expiresAt\n        }\n      }\n    }\n  }\n": typeof types.ConsoleProposalsDocument,
    "\n  mutation ConsoleApproveTask($id: ID!) {\n    approveTask(id: $id) {\n      replayed\n      submission {\n        ...SentTask\n      }\n      errors {\n        code\n        message\n      }\n    }\n  }\n": typeof types.ConsoleApproveTaskDocument,
    "\n  mutation ConsoleDeclineTask($id: ID!, $reason: String) {\n    declineTask(id: $id, reason: $reason) {\n      replayed\n      submission {\n        ...SentTask\n      }\n      errors {\n        code\n        message\n      }\n    }\n  }\n": typeof types.ConsoleDeclineTaskDocument,
    "\n  mutation ConsoleCheckTask($input: CheckTaskInput!) {\n    checkTask(input: $input) {\n      errors {\n        code\n        message\n        path\n      }\n      people\n      countries {\n        countryCode\n        people\n      }\n      schedule {\n        ...Schedule\n      }\n      calledAgainFrom {\n        leftOut {\n          reason\n          people\n        }\n        withoutVariables\n      }\n    }\n  }\n\n  fragment Schedule on TaskSchedule {\n    timeZone\n    startDate\n    days\n    periods {\n      from\n      to\n      startsAt\n      endsAt\n    }\n    begin\n    startsAt\n  }\n": typeof types.ConsoleCheckTaskDocument,
    "\n  query ConsoleProposedPlan($id: ID!) {\n    taskSubmission(id: $id) {\n      id\n      proposal {\n        countries {\n          countryCode\n          people\n        }\n        schedule {\n          ...Schedule\n        }\n      }\n    }\n  }\n": typeof types.ConsoleProposedPlanDocument,
};
const documents: Documents = {
    "\n  query ConsoleOpenAlerts($language: AlertLanguage!, $taskIds: [ID!]) {\n    alerts(first: 50, filter: { open: true, taskIds: $taskIds }) {\n      pageInfo {\n        hasNextPage\n      }\n      nodes {\n        id\n        rule\n        text(language: $language)\n        taskId\n        destination\n        raisedAt\n        acknowledgedAt\n        acknowledgedBy\n      }\n    }\n  }\n": types.ConsoleOpenAlertsDocument,
    "\n  mutation ConsoleAcknowledge($id: ID!) {\n    acknowledgeAlert(id: $id) {\n      id\n      acknowledgedAt\n      acknowledgedBy\n    }\n  }\n": types.ConsoleAcknowledgeDocument,
    "\n  query ConsoleCall($sessionId: ID!, $people: Boolean!, $recordings: Boolean!) {\n    callEnded(sessionId: $sessionId) {\n      ...CallDetails\n      extra @include(if: $people)\n      recording {\n        id\n        status\n        failure\n        bytes\n        url @include(if: $recordings)\n        urlExpiresAt @include(if: $recordings)\n      }\n      task {\n        id\n        name\n        status\n      }\n    }\n  }\n\n  fragment CallDetails on CallEnded {\n    id\n    cursor\n    sessionId\n    source\n    receivedAt\n    revision\n    direction\n    caller\n    callee\n    startAt\n    answerAt\n    endAt\n    duration\n    billsec\n    ringTime\n    answered\n    hangupSide\n    hungUpBy\n    hangupReason\n    taskId\n    taskItemId\n    assistants {\n      assistantId\n      versionId\n      assistant {\n        id\n        name\n      }\n    }\n    unread {\n      field\n      text\n    }\n  }\n": types.ConsoleCallDocument,
    "\n  query ConsoleListedCall($sessionId: ID!, $around: DateTime, $recordings: Boolean!) {\n    callLog(sessionId: $sessionId, around: $around) {\n      sessionId\n      direction\n      caller\n      callee\n      startAt\n      answerAt\n      endAt\n      duration\n      billsec\n      answered\n      taskId\n      recordFile @include(if: $recordings)\n      recording {\n        id\n        status\n        failure\n        bytes\n        url @include(if: $recordings)\n        urlExpiresAt @include(if: $recordings)\n      }\n      task {\n        id\n        name\n        status\n      }\n      assistants {\n        assistantId\n        versionId\n        assistant {\n          id\n          name\n        }\n      }\n      unread {\n        field\n        text\n      }\n    }\n  }\n": types.ConsoleListedCallDocument,
    "\n  query ConsoleRevisions($filter: CallEndedFilter!) {\n    callEndedEvents(first: 100, filter: $filter, revisions: true) {\n      nodes {\n        sessionId\n        revision\n        source\n        receivedAt\n      }\n    }\n  }\n": types.ConsoleRevisionsDocument,
    "\n  query ConsoleAttempts($filter: CallEndedFilter!) {\n    callEndedEvents(first: 10, order: NEWEST_FIRST, filter: $filter) {\n      pageInfo {\n        hasNextPage\n      }\n      nodes {\n        sessionId\n        source\n        direction\n        startAt\n        answerAt\n        endAt\n        answered\n        hangupSide\n        hungUpBy\n        hangupReason\n        unread {\n          field\n          text\n        }\n      }\n    }\n  }\n": types.ConsoleAttemptsDocument,
    "\n  query ConsoleNames {\n    assistants(first: 100) {\n      nodes {\n        assistantId\n        name\n      }\n    }\n  }\n": types.ConsoleNamesDocument,
    "\n  query ConsoleTaskNames($taskIds: [ID!]!) {\n    tasksByIds(taskIds: $taskIds) {\n      taskId\n      name\n    }\n  }\n": types.ConsoleTaskNamesDocument,
    "\n  query ConsoleKnownTasks {\n    tasks(first: 50) {\n      nodes {\n        taskId\n        name\n      }\n    }\n  }\n": types.ConsoleKnownTasksDocument,
    "\n  query ConsoleSession {\n    viewer {\n      name\n      scopes\n    }\n    serviceTimeZone\n  }\n": types.ConsoleSessionDocument,
    "\n  query ConsoleReachable {\n    viewer {\n      name\n    }\n  }\n": types.ConsoleReachableDocument,
    "\n  query ConsoleFacts($calls: Boolean!) {\n    gateway {\n      upstream\n      serviceFailingSince\n      tokenRefused\n      timesAheadMinutes\n      webhooks {\n        lastAcceptedAt\n        acceptedLastMinute\n        refusedLastMinute\n        unreadableInARow\n        refused {\n          since\n          count\n          reasons {\n            reason\n            count\n          }\n        }\n      }\n    }\n    callEndedEvents(first: 10, order: NEWEST_FIRST, imported: false) @include(if: $calls) {\n      nodes {\n        source\n      }\n    }\n  }\n": types.ConsoleFactsDocument,
    "\n  query ConsoleServiceAnswers {\n    callLogs(first: 1) {\n      totalCount\n    }\n  }\n": types.ConsoleServiceAnswersDocument,
    "\n  query ConsoleAudit($first: Int!, $after: String, $filter: AuditEventFilter) {\n    auditEvents(first: $first, after: $after, filter: $filter) {\n      nodes {\n        ...AuditEntry\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n\n  fragment AuditEntry on AuditEvent {\n    id\n    at\n    actor\n    action\n    count\n    subjectId\n    via\n    tool\n    client\n  }\n": types.ConsoleAuditDocument,
    "\n  query ConsoleAuditEntry($id: ID!) {\n    node(id: $id) {\n      __typename\n      ... on AuditEvent {\n        ...AuditEntry\n      }\n    }\n  }\n": types.ConsoleAuditEntryDocument,
    "\n  query ConsoleAuditedCall($id: ID!) {\n    node(id: $id) {\n      ... on CallEnded {\n        sessionId\n      }\n      ... on Recording {\n        sessionId\n      }\n    }\n  }\n": types.ConsoleAuditedCallDocument,
    "\n  query ConsoleCalls($first: Int!, $after: String, $filter: CallLogFilter!, $byPhone: Boolean!) {\n    callLogs(first: $first, after: $after, filter: $filter) {\n      totalCount\n      driftDetected\n      headCursor\n      phoneWritings @include(if: $byPhone) {\n        text\n        totalCount\n      }\n      pageInfo {\n        endCursor\n        hasNextPage\n      }\n      nodes {\n        ...ListedCall\n      }\n    }\n  }\n\n  fragment ListedCall on CallLog {\n    id\n    sessionId\n    taskId\n    direction\n    caller\n    callee\n    startAt\n    answerAt\n    endAt\n    answered\n    assistants {\n      assistantId\n    }\n    callEnded {\n      source\n      hungUpBy\n      hangupReason\n    }\n    unread {\n      field\n      text\n    }\n  }\n": types.ConsoleCallsDocument,
    "\n  query ConsoleExport($first: Int!, $after: String, $filter: CallLogFilter!, $people: Boolean!) {\n    callLogs(first: $first, after: $after, filter: $filter) {\n      totalCount\n      driftDetected\n      pageInfo {\n        endCursor\n        hasNextPage\n      }\n      nodes {\n        ...ExportedCall\n      }\n    }\n  }\n\n  fragment ExportedCall on CallLog {\n    sessionId\n    taskId\n    direction\n    caller\n    callee\n    startAt\n    answerAt\n    endAt\n    duration\n    billsec\n    answered\n    assistants {\n      assistantId\n      versionId\n    }\n    callEnded {\n      source\n      hangupSide\n      hungUpBy\n      hangupReason\n      ringTime\n      taskItemId\n      extra @include(if: $people)\n    }\n    unread {\n      field\n      text\n    }\n  }\n": types.ConsoleExportDocument,
    "\n  subscription ConsoleEndedSince($after: String, $filter: CallEndedFilter) {\n    callEndedStream(after: $after, filter: $filter) {\n      __typename\n      cursor\n      ... on StreamGap {\n        after\n      }\n      ... on CallEnded {\n        sessionId\n      }\n    }\n  }\n": types.ConsoleEndedSinceDocument,
    "\n  query ConsoleDestinations {\n    destinations {\n      ...ConsoleDestination\n    }\n  }\n\n  fragment ConsoleDestination on Destination {\n    name\n    kind\n    getsCalls\n    url\n    order\n    enabled\n    state\n    disabledFor\n    cursor\n    lag\n    waitingAlerts\n    failures\n    failingSince\n    secondsToNext\n    delivered\n    skipped\n    waitingLetters\n    deadLetters\n    lastAnswer {\n      at\n      status\n      text\n    }\n  }\n": types.ConsoleDestinationsDocument,
    "\n  query ConsoleDestinationLetters($name: String!, $after: String) {\n    destinationLetters(name: $name, first: 20, after: $after) {\n      cursor\n      attempts\n      firstAt\n      secondsToNext\n      event {\n        sessionId\n        endAt\n        caller\n        callee\n        answered\n      }\n      lastAnswer {\n        at\n        status\n        text\n      }\n    }\n  }\n": types.ConsoleDestinationLettersDocument,
    "\n  mutation ConsolePauseDestination($name: String!) {\n    pauseDestination(name: $name) {\n      name\n    }\n  }\n": types.ConsolePauseDestinationDocument,
    "\n  mutation ConsoleResumeDestination($name: String!, $after: String, $since: DateTime) {\n    resumeDestination(name: $name, after: $after, since: $since) {\n      name\n    }\n  }\n": types.ConsoleResumeDestinationDocument,
    "\n  mutation ConsoleTestDestination($name: String!) {\n    testDestination(name: $name) {\n      at\n      status\n      text\n    }\n  }\n": types.ConsoleTestDestinationDocument,
    "\n  mutation ConsoleSendLetter($name: String!, $cursor: String!) {\n    sendDestinationLetter(name: $name, cursor: $cursor)\n  }\n": types.ConsoleSendLetterDocument,
    "\n  query ConsoleGatewayStatus {\n    gateway {\n      version\n      subscribers\n      quarantined\n      eventNames {\n        name\n        isEnd\n      }\n      events {\n        events\n        reconciled\n        lastReceivedAt\n        newestCursor\n      }\n      recordings {\n        archived\n        pending\n        lost\n      }\n    }\n  }\n": types.ConsoleGatewayStatusDocument,
    "\n  query ConsoleAgentUses {\n    gateway {\n      agentUses {\n        viewer\n        client\n        tool\n        calls\n        failed\n        lastAt\n      }\n    }\n  }\n": types.ConsoleAgentUsesDocument,
    "\n  query ConsoleGatewayDay {\n    gateway {\n      lastDay {\n        start\n        webhooks\n        reconciled\n        unreadable\n        meanDelaySeconds\n      }\n    }\n  }\n": types.ConsoleGatewayDayDocument,
    "\n  query ConsoleNewestCall {\n    callEndedEvents(first: 1, order: NEWEST_FIRST, imported: false) {\n      nodes {\n        endAt\n        receivedAt\n      }\n    }\n  }\n": types.ConsoleNewestCallDocument,
    "\n  query ConsoleQuarantine($after: String, $kind: QuarantineKind!) {\n    quarantinedDeliveries(first: 20, after: $after, kind: $kind) {\n      nodes {\n        id\n        receivedAt\n        kind\n        reason\n        charset\n        body\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": types.ConsoleQuarantineDocument,
    "\n  mutation ConsoleReprocess($id: ID!, $charset: String) {\n    reprocessQuarantined(id: $id, charset: $charset) {\n      reason\n      event {\n        sessionId\n      }\n    }\n  }\n": types.ConsoleReprocessDocument,
    "\n  mutation ConsoleDiscard($id: ID!) {\n    discardQuarantined(id: $id) {\n      delivery {\n        id\n      }\n    }\n  }\n": types.ConsoleDiscardDocument,
    "\n  query ConsoleHistoryImport {\n    gateway {\n      lacksHistory\n    }\n    historyImport {\n      state\n      problem\n      progress\n      secondsLeft\n      windows\n      calls\n      tooOld\n      leftOut\n    }\n  }\n": types.ConsoleHistoryImportDocument,
    "\n  mutation ConsoleImportHistory($since: DateTime!) {\n    importHistory(since: $since) {\n      isNew\n    }\n  }\n": types.ConsoleImportHistoryDocument,
    "\n  mutation ConsoleCancelImport {\n    cancelHistoryImport {\n      state\n    }\n  }\n": types.ConsoleCancelImportDocument,
    "\n  mutation ConsoleWebhookTest {\n    createWebhookTest {\n      authorization\n      path\n      bytes\n    }\n  }\n": types.ConsoleWebhookTestDocument,
    "\n  query ConsoleHistoryHint {\n    gateway {\n      lacksHistory\n    }\n  }\n": types.ConsoleHistoryHintDocument,
    "\n  query ConsoleLiveStart($filter: CallEndedFilter) {\n    callEndedEvents(first: 100, order: NEWEST_FIRST, filter: $filter, imported: false) {\n      headCursor\n      nodes {\n        ...LiveCall\n      }\n    }\n  }\n\n  fragment LiveCall on CallEnded {\n    __typename\n    cursor\n    sessionId\n    source\n    receivedAt\n    direction\n    caller\n    callee\n    answerAt\n    endAt\n    answered\n    hangupSide\n    hungUpBy\n    hangupReason\n    taskId\n    assistants {\n      assistantId\n    }\n    unread {\n      field\n      text\n    }\n  }\n": types.ConsoleLiveStartDocument,
    "\n  subscription ConsoleLive($after: String, $filter: CallEndedFilter) {\n    callEndedStream(after: $after, filter: $filter) {\n      __typename\n      cursor\n      ... on StreamGap {\n        after\n      }\n      ... on CallEnded {\n        ...LiveCall\n      }\n    }\n  }\n": types.ConsoleLiveDocument,
    "\n  query ConsoleLiveCharts($filter: CallEndedFilter!, $timeZone: String!) {\n    callStats(filter: $filter) {\n      calls\n      answered\n      timeline(bucket: MINUTE, timeZone: $timeZone) {\n        start\n        calls\n        answered\n      }\n      byHangupReason(first: 5) {\n        reason\n        calls\n        answered\n      }\n    }\n  }\n": types.ConsoleLiveChartsDocument,
    "\n  mutation ConsoleForgetPhone($number: String!, $neverCall: Boolean!, $dryRun: Boolean!) {\n    forgetPhone(number: $number, addToDoNotCall: $neverCall, dryRun: $dryRun) {\n      calls\n      events\n      rawDeliveries\n      recordings\n      quarantined\n      submissions\n      proposals\n    }\n  }\n": types.ConsoleForgetPhoneDocument,
    "\n  query ConsoleNeverCallCount {\n    doNotCall {\n      count\n    }\n  }\n": types.ConsoleNeverCallCountDocument,
    "\n  query ConsoleNeverCallNumber($number: String!) {\n    doNotCall {\n      contains(number: $number)\n    }\n  }\n": types.ConsoleNeverCallNumberDocument,
    "\n  mutation ConsoleAddNeverCall($numbers: [String!]!) {\n    addToDoNotCall(numbers: $numbers) {\n      changed\n      unreadable\n    }\n  }\n": types.ConsoleAddNeverCallDocument,
    "\n  mutation ConsoleRemoveNeverCall($numbers: [String!]!) {\n    removeFromDoNotCall(numbers: $numbers) {\n      changed\n      unreadable\n    }\n  }\n": types.ConsoleRemoveNeverCallDocument,
    "\n  query ConsoleStatistics(\n    $filter: CallEndedFilter!\n    $before: CallEndedFilter!\n    $bucket: TimeBucket!\n    $timeZone: String!\n  ) {\n    callStats(filter: $filter) {\n      calls\n      answered\n      numbersCalled\n      numbersReached\n      timeline(bucket: $bucket, timeZone: $timeZone) {\n        start\n        calls\n        answered\n      }\n      byTask(first: 10) {\n        taskId\n        calls\n        answered\n      }\n      byHangupReason(first: 10) {\n        reason\n        calls\n        answered\n      }\n      byAssistant(first: 10) {\n        assistantId\n        calls\n        answered\n      }\n    }\n    before: callStats(filter: $before) {\n      calls\n      answered\n      numbersCalled\n      numbersReached\n    }\n    log: callStats {\n      since\n    }\n  }\n": types.ConsoleStatisticsDocument,
    "\n  query ConsoleTasks($after: String) {\n    tasks(first: 25, after: $after) {\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      nodes {\n        ...ListedTask\n      }\n    }\n  }\n\n  fragment ListedTask on Task {\n    id\n    taskId\n    name\n    status\n    progress\n    total\n    createdAt\n    callStats {\n      numbersCalled\n      numbersReached\n    }\n    unread {\n      field\n      text\n    }\n  }\n": types.ConsoleTasksDocument,
    "\n  query ConsoleChangedTasks($taskIds: [ID!]!) {\n    tasksByIds(taskIds: $taskIds) {\n      ...ListedTask\n    }\n  }\n": types.ConsoleChangedTasksDocument,
    "\n  subscription ConsoleEndedTaskCalls($after: String) {\n    callEndedStream(after: $after) {\n      __typename\n      cursor\n      ... on StreamGap {\n        after\n      }\n      ... on CallEnded {\n        taskId\n      }\n    }\n  }\n": types.ConsoleEndedTaskCallsDocument,
    "\n  query ConsoleSentTasks {\n    taskSubmissions(first: 20) {\n      nodes {\n        id\n        name\n        status\n        numberCount\n        submittedAt\n      }\n    }\n  }\n": types.ConsoleSentTasksDocument,
    "\n  subscription ConsoleTask($taskId: ID!, $timeZone: String!) {\n    taskProgress(taskId: $taskId) {\n      ...ListedTask\n      updatedAt\n      collectionRate\n      summary\n      suggestion\n      assistant {\n        id\n        assistantId\n        versionId\n        name\n      }\n      option {\n        lineIds\n        periods\n        startDate\n        retryCount\n        retryInterval\n      }\n      taskCalls: callStats {\n        calls\n        answered\n        since\n        byHangupReason(first: 8) {\n          reason\n          calls\n        }\n        timeline(bucket: HOUR, timeZone: $timeZone) {\n          start\n          calls\n          answered\n        }\n      }\n    }\n  }\n": types.ConsoleTaskDocument,
    "\n  query ConsoleTaskPeople($taskId: ID!) {\n    task(taskId: $taskId) {\n      recipientCounts {\n        recipients\n        byOutcome {\n          outcome\n          recipients\n        }\n      }\n    }\n  }\n": types.ConsoleTaskPeopleDocument,
    "\n  query ConsoleTalks($taskId: ID!, $after: String) {\n    callEndedEvents(first: 100, after: $after, filter: { taskIds: [$taskId], answered: true }) {\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      nodes {\n        taskItemId\n        answerAt\n        endAt\n      }\n    }\n  }\n": types.ConsoleTalksDocument,
    "\n  subscription ConsoleSubmission($id: ID!) {\n    taskSubmission(id: $id) {\n      ...SentTask\n    }\n  }\n\n  fragment SentTask on TaskSubmission {\n    id\n    name\n    status\n    assistantId\n    numberCount\n    leftOutCount\n    submittedAt\n    submittedBy\n    taskId\n    matchedBy\n    calledAgainFrom {\n      leftOut {\n        reason\n        people\n      }\n      withoutVariables\n    }\n    proposal {\n      expiresAt\n      lineIds\n      periods\n      startDate\n      retryCount\n      retryIntervalSeconds\n      overridesAssistant\n      skipDoNotCall\n      decidedAt\n      decidedBy\n      declineReason\n    }\n  }\n": types.ConsoleSubmissionDocument,
    "\n  query ConsoleProposedWords($id: ID!, $reads: Boolean!, $prompts: Boolean!) {\n    taskSubmission(id: $id) {\n      id\n      proposal {\n        assistantOverride {\n          welcome\n          changesPrompt\n          prompt @include(if: $prompts)\n          language\n          speakerId\n        }\n        assistant @include(if: $reads) {\n          id\n          welcome\n          prompt @include(if: $prompts)\n          speakerId\n        }\n      }\n    }\n  }\n": types.ConsoleProposedWordsDocument,
    "\n  query ConsoleSubmissionByKey($key: String!) {\n    taskSubmissionByKey(idempotencyKey: $key) {\n      ...SentTask\n    }\n  }\n": types.ConsoleSubmissionByKeyDocument,
    "\n  query ConsoleTaskChoices {\n    assistants(first: 100) {\n      hasMore\n      nodes {\n        assistantId\n        name\n        knownFrom\n      }\n    }\n    lines(first: 100) {\n      hasMore\n      nodes {\n        lineId\n        name\n        knownFrom\n      }\n    }\n  }\n": types.ConsoleTaskChoicesDocument,
    "\n  query ConsoleProposals($after: String) {\n    taskSubmissions(first: 100, after: $after) {\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      nodes {\n        id\n        name\n        status\n        numberCount\n        submittedAt\n        submittedBy\n        proposal {\n          expiresAt\n        }\n      }\n    }\n  }\n": types.ConsoleProposalsDocument,
    "\n  mutation ConsoleApproveTask($id: ID!) {\n    approveTask(id: $id) {\n      replayed\n      submission {\n        ...SentTask\n      }\n      errors {\n        code\n        message\n      }\n    }\n  }\n": types.ConsoleApproveTaskDocument,
    "\n  mutation ConsoleDeclineTask($id: ID!, $reason: String) {\n    declineTask(id: $id, reason: $reason) {\n      replayed\n      submission {\n        ...SentTask\n      }\n      errors {\n        code\n        message\n      }\n    }\n  }\n": types.ConsoleDeclineTaskDocument,
    "\n  mutation ConsoleCheckTask($input: CheckTaskInput!) {\n    checkTask(input: $input) {\n      errors {\n        code\n        message\n        path\n      }\n      people\n      countries {\n        countryCode\n        people\n      }\n      schedule {\n        ...Schedule\n      }\n      calledAgainFrom {\n        leftOut {\n          reason\n          people\n        }\n        withoutVariables\n      }\n    }\n  }\n\n  fragment Schedule on TaskSchedule {\n    timeZone\n    startDate\n    days\n    periods {\n      from\n      to\n      startsAt\n      endsAt\n    }\n    begin\n    startsAt\n  }\n": types.ConsoleCheckTaskDocument,
    "\n  query ConsoleProposedPlan($id: ID!) {\n    taskSubmission(id: $id) {\n      id\n      proposal {\n        countries {\n          countryCode\n          people\n        }\n        schedule {\n          ...Schedule\n        }\n      }\n    }\n  }\n": types.ConsoleProposedPlanDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleOpenAlerts($language: AlertLanguage!, $taskIds: [ID!]) {\n    alerts(first: 50, filter: { open: true, taskIds: $taskIds }) {\n      pageInfo {\n        hasNextPage\n      }\n      nodes {\n        id\n        rule\n        text(language: $language)\n        taskId\n        destination\n        raisedAt\n        acknowledgedAt\n        acknowledgedBy\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleOpenAlertsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ConsoleAcknowledge($id: ID!) {\n    acknowledgeAlert(id: $id) {\n      id\n      acknowledgedAt\n      acknowledgedBy\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleAcknowledgeDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleCall($sessionId: ID!, $people: Boolean!, $recordings: Boolean!) {\n    callEnded(sessionId: $sessionId) {\n      ...CallDetails\n      extra @include(if: $people)\n      recording {\n        id\n        status\n        failure\n        bytes\n        url @include(if: $recordings)\n        urlExpiresAt @include(if: $recordings)\n      }\n      task {\n        id\n        name\n        status\n      }\n    }\n  }\n\n  fragment CallDetails on CallEnded {\n    id\n    cursor\n    sessionId\n    source\n    receivedAt\n    revision\n    direction\n    caller\n    callee\n    startAt\n    answerAt\n    endAt\n    duration\n    billsec\n    ringTime\n    answered\n    hangupSide\n    hungUpBy\n    hangupReason\n    taskId\n    taskItemId\n    assistants {\n      assistantId\n      versionId\n      assistant {\n        id\n        name\n      }\n    }\n    unread {\n      field\n      text\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleCallDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleListedCall($sessionId: ID!, $around: DateTime, $recordings: Boolean!) {\n    callLog(sessionId: $sessionId, around: $around) {\n      sessionId\n      direction\n      caller\n      callee\n      startAt\n      answerAt\n      endAt\n      duration\n      billsec\n      answered\n      taskId\n      recordFile @include(if: $recordings)\n      recording {\n        id\n        status\n        failure\n        bytes\n        url @include(if: $recordings)\n        urlExpiresAt @include(if: $recordings)\n      }\n      task {\n        id\n        name\n        status\n      }\n      assistants {\n        assistantId\n        versionId\n        assistant {\n          id\n          name\n        }\n      }\n      unread {\n        field\n        text\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleListedCallDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleRevisions($filter: CallEndedFilter!) {\n    callEndedEvents(first: 100, filter: $filter, revisions: true) {\n      nodes {\n        sessionId\n        revision\n        source\n        receivedAt\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleRevisionsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleAttempts($filter: CallEndedFilter!) {\n    callEndedEvents(first: 10, order: NEWEST_FIRST, filter: $filter) {\n      pageInfo {\n        hasNextPage\n      }\n      nodes {\n        sessionId\n        source\n        direction\n        startAt\n        answerAt\n        endAt\n        answered\n        hangupSide\n        hungUpBy\n        hangupReason\n        unread {\n          field\n          text\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleAttemptsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleNames {\n    assistants(first: 100) {\n      nodes {\n        assistantId\n        name\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleNamesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleTaskNames($taskIds: [ID!]!) {\n    tasksByIds(taskIds: $taskIds) {\n      taskId\n      name\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleTaskNamesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleKnownTasks {\n    tasks(first: 50) {\n      nodes {\n        taskId\n        name\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleKnownTasksDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleSession {\n    viewer {\n      name\n      scopes\n    }\n    serviceTimeZone\n  }\n"): typeof import('./graphql.ts').ConsoleSessionDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleReachable {\n    viewer {\n      name\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleReachableDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleFacts($calls: Boolean!) {\n    gateway {\n      upstream\n      serviceFailingSince\n      tokenRefused\n      timesAheadMinutes\n      webhooks {\n        lastAcceptedAt\n        acceptedLastMinute\n        refusedLastMinute\n        unreadableInARow\n        refused {\n          since\n          count\n          reasons {\n            reason\n            count\n          }\n        }\n      }\n    }\n    callEndedEvents(first: 10, order: NEWEST_FIRST, imported: false) @include(if: $calls) {\n      nodes {\n        source\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleFactsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleServiceAnswers {\n    callLogs(first: 1) {\n      totalCount\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleServiceAnswersDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleAudit($first: Int!, $after: String, $filter: AuditEventFilter) {\n    auditEvents(first: $first, after: $after, filter: $filter) {\n      nodes {\n        ...AuditEntry\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n\n  fragment AuditEntry on AuditEvent {\n    id\n    at\n    actor\n    action\n    count\n    subjectId\n    via\n    tool\n    client\n  }\n"): typeof import('./graphql.ts').ConsoleAuditDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleAuditEntry($id: ID!) {\n    node(id: $id) {\n      __typename\n      ... on AuditEvent {\n        ...AuditEntry\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleAuditEntryDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleAuditedCall($id: ID!) {\n    node(id: $id) {\n      ... on CallEnded {\n        sessionId\n      }\n      ... on Recording {\n        sessionId\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleAuditedCallDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleCalls($first: Int!, $after: String, $filter: CallLogFilter!, $byPhone: Boolean!) {\n    callLogs(first: $first, after: $after, filter: $filter) {\n      totalCount\n      driftDetected\n      headCursor\n      phoneWritings @include(if: $byPhone) {\n        text\n        totalCount\n      }\n      pageInfo {\n        endCursor\n        hasNextPage\n      }\n      nodes {\n        ...ListedCall\n      }\n    }\n  }\n\n  fragment ListedCall on CallLog {\n    id\n    sessionId\n    taskId\n    direction\n    caller\n    callee\n    startAt\n    answerAt\n    endAt\n    answered\n    assistants {\n      assistantId\n    }\n    callEnded {\n      source\n      hungUpBy\n      hangupReason\n    }\n    unread {\n      field\n      text\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleCallsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleExport($first: Int!, $after: String, $filter: CallLogFilter!, $people: Boolean!) {\n    callLogs(first: $first, after: $after, filter: $filter) {\n      totalCount\n      driftDetected\n      pageInfo {\n        endCursor\n        hasNextPage\n      }\n      nodes {\n        ...ExportedCall\n      }\n    }\n  }\n\n  fragment ExportedCall on CallLog {\n    sessionId\n    taskId\n    direction\n    caller\n    callee\n    startAt\n    answerAt\n    endAt\n    duration\n    billsec\n    answered\n    assistants {\n      assistantId\n      versionId\n    }\n    callEnded {\n      source\n      hangupSide\n      hungUpBy\n      hangupReason\n      ringTime\n      taskItemId\n      extra @include(if: $people)\n    }\n    unread {\n      field\n      text\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleExportDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription ConsoleEndedSince($after: String, $filter: CallEndedFilter) {\n    callEndedStream(after: $after, filter: $filter) {\n      __typename\n      cursor\n      ... on StreamGap {\n        after\n      }\n      ... on CallEnded {\n        sessionId\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleEndedSinceDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleDestinations {\n    destinations {\n      ...ConsoleDestination\n    }\n  }\n\n  fragment ConsoleDestination on Destination {\n    name\n    kind\n    getsCalls\n    url\n    order\n    enabled\n    state\n    disabledFor\n    cursor\n    lag\n    waitingAlerts\n    failures\n    failingSince\n    secondsToNext\n    delivered\n    skipped\n    waitingLetters\n    deadLetters\n    lastAnswer {\n      at\n      status\n      text\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleDestinationsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleDestinationLetters($name: String!, $after: String) {\n    destinationLetters(name: $name, first: 20, after: $after) {\n      cursor\n      attempts\n      firstAt\n      secondsToNext\n      event {\n        sessionId\n        endAt\n        caller\n        callee\n        answered\n      }\n      lastAnswer {\n        at\n        status\n        text\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleDestinationLettersDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ConsolePauseDestination($name: String!) {\n    pauseDestination(name: $name) {\n      name\n    }\n  }\n"): typeof import('./graphql.ts').ConsolePauseDestinationDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ConsoleResumeDestination($name: String!, $after: String, $since: DateTime) {\n    resumeDestination(name: $name, after: $after, since: $since) {\n      name\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleResumeDestinationDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ConsoleTestDestination($name: String!) {\n    testDestination(name: $name) {\n      at\n      status\n      text\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleTestDestinationDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ConsoleSendLetter($name: String!, $cursor: String!) {\n    sendDestinationLetter(name: $name, cursor: $cursor)\n  }\n"): typeof import('./graphql.ts').ConsoleSendLetterDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleGatewayStatus {\n    gateway {\n      version\n      subscribers\n      quarantined\n      eventNames {\n        name\n        isEnd\n      }\n      events {\n        events\n        reconciled\n        lastReceivedAt\n        newestCursor\n      }\n      recordings {\n        archived\n        pending\n        lost\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleGatewayStatusDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleAgentUses {\n    gateway {\n      agentUses {\n        viewer\n        client\n        tool\n        calls\n        failed\n        lastAt\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleAgentUsesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleGatewayDay {\n    gateway {\n      lastDay {\n        start\n        webhooks\n        reconciled\n        unreadable\n        meanDelaySeconds\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleGatewayDayDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleNewestCall {\n    callEndedEvents(first: 1, order: NEWEST_FIRST, imported: false) {\n      nodes {\n        endAt\n        receivedAt\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleNewestCallDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleQuarantine($after: String, $kind: QuarantineKind!) {\n    quarantinedDeliveries(first: 20, after: $after, kind: $kind) {\n      nodes {\n        id\n        receivedAt\n        kind\n        reason\n        charset\n        body\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleQuarantineDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ConsoleReprocess($id: ID!, $charset: String) {\n    reprocessQuarantined(id: $id, charset: $charset) {\n      reason\n      event {\n        sessionId\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleReprocessDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ConsoleDiscard($id: ID!) {\n    discardQuarantined(id: $id) {\n      delivery {\n        id\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleDiscardDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleHistoryImport {\n    gateway {\n      lacksHistory\n    }\n    historyImport {\n      state\n      problem\n      progress\n      secondsLeft\n      windows\n      calls\n      tooOld\n      leftOut\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleHistoryImportDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ConsoleImportHistory($since: DateTime!) {\n    importHistory(since: $since) {\n      isNew\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleImportHistoryDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ConsoleCancelImport {\n    cancelHistoryImport {\n      state\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleCancelImportDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ConsoleWebhookTest {\n    createWebhookTest {\n      authorization\n      path\n      bytes\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleWebhookTestDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleHistoryHint {\n    gateway {\n      lacksHistory\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleHistoryHintDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleLiveStart($filter: CallEndedFilter) {\n    callEndedEvents(first: 100, order: NEWEST_FIRST, filter: $filter, imported: false) {\n      headCursor\n      nodes {\n        ...LiveCall\n      }\n    }\n  }\n\n  fragment LiveCall on CallEnded {\n    __typename\n    cursor\n    sessionId\n    source\n    receivedAt\n    direction\n    caller\n    callee\n    answerAt\n    endAt\n    answered\n    hangupSide\n    hungUpBy\n    hangupReason\n    taskId\n    assistants {\n      assistantId\n    }\n    unread {\n      field\n      text\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleLiveStartDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription ConsoleLive($after: String, $filter: CallEndedFilter) {\n    callEndedStream(after: $after, filter: $filter) {\n      __typename\n      cursor\n      ... on StreamGap {\n        after\n      }\n      ... on CallEnded {\n        ...LiveCall\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleLiveDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleLiveCharts($filter: CallEndedFilter!, $timeZone: String!) {\n    callStats(filter: $filter) {\n      calls\n      answered\n      timeline(bucket: MINUTE, timeZone: $timeZone) {\n        start\n        calls\n        answered\n      }\n      byHangupReason(first: 5) {\n        reason\n        calls\n        answered\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleLiveChartsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ConsoleForgetPhone($number: String!, $neverCall: Boolean!, $dryRun: Boolean!) {\n    forgetPhone(number: $number, addToDoNotCall: $neverCall, dryRun: $dryRun) {\n      calls\n      events\n      rawDeliveries\n      recordings\n      quarantined\n      submissions\n      proposals\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleForgetPhoneDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleNeverCallCount {\n    doNotCall {\n      count\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleNeverCallCountDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleNeverCallNumber($number: String!) {\n    doNotCall {\n      contains(number: $number)\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleNeverCallNumberDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ConsoleAddNeverCall($numbers: [String!]!) {\n    addToDoNotCall(numbers: $numbers) {\n      changed\n      unreadable\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleAddNeverCallDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ConsoleRemoveNeverCall($numbers: [String!]!) {\n    removeFromDoNotCall(numbers: $numbers) {\n      changed\n      unreadable\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleRemoveNeverCallDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleStatistics(\n    $filter: CallEndedFilter!\n    $before: CallEndedFilter!\n    $bucket: TimeBucket!\n    $timeZone: String!\n  ) {\n    callStats(filter: $filter) {\n      calls\n      answered\n      numbersCalled\n      numbersReached\n      timeline(bucket: $bucket, timeZone: $timeZone) {\n        start\n        calls\n        answered\n      }\n      byTask(first: 10) {\n        taskId\n        calls\n        answered\n      }\n      byHangupReason(first: 10) {\n        reason\n        calls\n        answered\n      }\n      byAssistant(first: 10) {\n        assistantId\n        calls\n        answered\n      }\n    }\n    before: callStats(filter: $before) {\n      calls\n      answered\n      numbersCalled\n      numbersReached\n    }\n    log: callStats {\n      since\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleStatisticsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleTasks($after: String) {\n    tasks(first: 25, after: $after) {\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      nodes {\n        ...ListedTask\n      }\n    }\n  }\n\n  fragment ListedTask on Task {\n    id\n    taskId\n    name\n    status\n    progress\n    total\n    createdAt\n    callStats {\n      numbersCalled\n      numbersReached\n    }\n    unread {\n      field\n      text\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleTasksDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleChangedTasks($taskIds: [ID!]!) {\n    tasksByIds(taskIds: $taskIds) {\n      ...ListedTask\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleChangedTasksDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription ConsoleEndedTaskCalls($after: String) {\n    callEndedStream(after: $after) {\n      __typename\n      cursor\n      ... on StreamGap {\n        after\n      }\n      ... on CallEnded {\n        taskId\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleEndedTaskCallsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleSentTasks {\n    taskSubmissions(first: 20) {\n      nodes {\n        id\n        name\n        status\n        numberCount\n        submittedAt\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleSentTasksDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription ConsoleTask($taskId: ID!, $timeZone: String!) {\n    taskProgress(taskId: $taskId) {\n      ...ListedTask\n      updatedAt\n      collectionRate\n      summary\n      suggestion\n      assistant {\n        id\n        assistantId\n        versionId\n        name\n      }\n      option {\n        lineIds\n        periods\n        startDate\n        retryCount\n        retryInterval\n      }\n      taskCalls: callStats {\n        calls\n        answered\n        since\n        byHangupReason(first: 8) {\n          reason\n          calls\n        }\n        timeline(bucket: HOUR, timeZone: $timeZone) {\n          start\n          calls\n          answered\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleTaskDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleTaskPeople($taskId: ID!) {\n    task(taskId: $taskId) {\n      recipientCounts {\n        recipients\n        byOutcome {\n          outcome\n          recipients\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleTaskPeopleDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleTalks($taskId: ID!, $after: String) {\n    callEndedEvents(first: 100, after: $after, filter: { taskIds: [$taskId], answered: true }) {\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      nodes {\n        taskItemId\n        answerAt\n        endAt\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleTalksDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription ConsoleSubmission($id: ID!) {\n    taskSubmission(id: $id) {\n      ...SentTask\n    }\n  }\n\n  fragment SentTask on TaskSubmission {\n    id\n    name\n    status\n    assistantId\n    numberCount\n    leftOutCount\n    submittedAt\n    submittedBy\n    taskId\n    matchedBy\n    calledAgainFrom {\n      leftOut {\n        reason\n        people\n      }\n      withoutVariables\n    }\n    proposal {\n      expiresAt\n      lineIds\n      periods\n      startDate\n      retryCount\n      retryIntervalSeconds\n      overridesAssistant\n      skipDoNotCall\n      decidedAt\n      decidedBy\n      declineReason\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleSubmissionDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleProposedWords($id: ID!, $reads: Boolean!, $prompts: Boolean!) {\n    taskSubmission(id: $id) {\n      id\n      proposal {\n        assistantOverride {\n          welcome\n          changesPrompt\n          prompt @include(if: $prompts)\n          language\n          speakerId\n        }\n        assistant @include(if: $reads) {\n          id\n          welcome\n          prompt @include(if: $prompts)\n          speakerId\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleProposedWordsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleSubmissionByKey($key: String!) {\n    taskSubmissionByKey(idempotencyKey: $key) {\n      ...SentTask\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleSubmissionByKeyDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleTaskChoices {\n    assistants(first: 100) {\n      hasMore\n      nodes {\n        assistantId\n        name\n        knownFrom\n      }\n    }\n    lines(first: 100) {\n      hasMore\n      nodes {\n        lineId\n        name\n        knownFrom\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleTaskChoicesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleProposals($after: String) {\n    taskSubmissions(first: 100, after: $after) {\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      nodes {\n        id\n        name\n        status\n        numberCount\n        submittedAt\n        submittedBy\n        proposal {\n          expiresAt\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleProposalsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ConsoleApproveTask($id: ID!) {\n    approveTask(id: $id) {\n      replayed\n      submission {\n        ...SentTask\n      }\n      errors {\n        code\n        message\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleApproveTaskDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ConsoleDeclineTask($id: ID!, $reason: String) {\n    declineTask(id: $id, reason: $reason) {\n      replayed\n      submission {\n        ...SentTask\n      }\n      errors {\n        code\n        message\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleDeclineTaskDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ConsoleCheckTask($input: CheckTaskInput!) {\n    checkTask(input: $input) {\n      errors {\n        code\n        message\n        path\n      }\n      people\n      countries {\n        countryCode\n        people\n      }\n      schedule {\n        ...Schedule\n      }\n      calledAgainFrom {\n        leftOut {\n          reason\n          people\n        }\n        withoutVariables\n      }\n    }\n  }\n\n  fragment Schedule on TaskSchedule {\n    timeZone\n    startDate\n    days\n    periods {\n      from\n      to\n      startsAt\n      endsAt\n    }\n    begin\n    startsAt\n  }\n"): typeof import('./graphql.ts').ConsoleCheckTaskDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsoleProposedPlan($id: ID!) {\n    taskSubmission(id: $id) {\n      id\n      proposal {\n        countries {\n          countryCode\n          people\n        }\n        schedule {\n          ...Schedule\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ConsoleProposedPlanDocument;


export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}
