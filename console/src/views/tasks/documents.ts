import { graphql } from "../../gql/index.ts";

export const taskListDocument = graphql(`
  query ConsoleTasks($after: String) {
    tasks(first: 25, after: $after) {
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        ...ListedTask
      }
    }
  }

  fragment ListedTask on Task {
    id
    taskId
    name
    status
    progress
    total
    createdAt
    callStats {
      numbersCalled
      numbersReached
    }
    unread {
      field
      text
    }
  }
`);

/** What changed: tasks of which calls ended, and those that are not done. */
export const changedTasksDocument = graphql(`
  query ConsoleChangedTasks($taskIds: [ID!]!) {
    tasksByIds(taskIds: $taskIds) {
      ...ListedTask
    }
  }
`);

export const endedTaskCallsDocument = graphql(`
  subscription ConsoleEndedTaskCalls($after: String) {
    callEndedStream(after: $after) {
      __typename
      cursor
      ... on StreamGap {
        after
      }
      ... on CallEnded {
        taskId
      }
    }
  }
`);

export const sentTasksDocument = graphql(`
  query ConsoleSentTasks {
    taskSubmissions(first: 20) {
      nodes {
        id
        name
        status
        numberCount
        submittedAt
      }
    }
  }
`);

/** Starts with the present state. */
export const taskDetailsDocument = graphql(`
  subscription ConsoleTask($taskId: ID!, $timeZone: String!) {
    taskProgress(taskId: $taskId) {
      ...ListedTask
      updatedAt
      collectionRate
      summary
      suggestion
      assistant {
        id
        assistantId
        versionId
        name
      }
      option {
        lineIds
        periods
        startDate
        retryCount
        retryInterval
      }
      taskCalls: callStats {
        calls
        answered
        since
        byHangupReason(first: 8) {
          reason
          calls
        }
        timeline(bucket: HOUR, timeZone: $timeZone) {
          start
          calls
          answered
        }
      }
    }
  }
`);

/** The people of a task, which viewers of single assistants may not count. */
export const taskPeopleDocument = graphql(`
  query ConsoleTaskPeople($taskId: ID!) {
    task(taskId: $taskId) {
      recipientCounts {
        recipients
        byOutcome {
          outcome
          recipients
        }
      }
    }
  }
`);

/** Answered calls of a task, the oldest first: the talks are counted page by page. */
export const talksDocument = graphql(`
  query ConsoleTalks($taskId: ID!, $after: String) {
    callEndedEvents(first: 100, after: $after, filter: { taskIds: [$taskId], answered: true }) {
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        taskItemId
        answerAt
        endAt
      }
    }
  }
`);

export const submissionDocument = graphql(`
  subscription ConsoleSubmission($id: ID!) {
    taskSubmission(id: $id) {
      ...SentTask
    }
  }

  fragment SentTask on TaskSubmission {
    id
    name
    status
    assistantId
    numberCount
    leftOutCount
    submittedAt
    submittedBy
    taskId
    matchedBy
    calledAgainFrom {
      leftOut {
        reason
        people
      }
      withoutVariables
    }
    proposal {
      expiresAt
      lineIds
      periods
      startDate
      retryCount
      retryIntervalSeconds
      overridesAssistant
      skipDoNotCall
      decidedAt
      decidedBy
      declineReason
    }
  }
`);

/** What people will hear. Only a proposal that waits has it. */
export const proposedWordsDocument = graphql(`
  query ConsoleProposedWords($id: ID!, $reads: Boolean!, $prompts: Boolean!) {
    taskSubmission(id: $id) {
      id
      proposal {
        assistantOverride {
          welcome
          changesPrompt
          prompt @include(if: $prompts)
          language
          speakerId
        }
        assistant @include(if: $reads) {
          id
          welcome
          prompt @include(if: $prompts)
          speakerId
        }
      }
    }
  }
`);

/** For a page that was closed before the answer came. */
export const submissionByKeyDocument = graphql(`
  query ConsoleSubmissionByKey($key: String!) {
    taskSubmissionByKey(idempotencyKey: $key) {
      ...SentTask
    }
  }
`);

export const choicesDocument = graphql(`
  query ConsoleTaskChoices {
    assistants(first: 100) {
      hasMore
      nodes {
        assistantId
        name
        knownFrom
      }
    }
    lines(first: 100) {
      hasMore
      nodes {
        lineId
        name
        knownFrom
      }
    }
  }
`);

/** The newest first: a proposal waits for a day, so older ones need not be read. */
export const proposalsDocument = graphql(`
  query ConsoleProposals($after: String) {
    taskSubmissions(first: 100, after: $after) {
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        id
        name
        status
        numberCount
        submittedAt
        submittedBy
        proposal {
          expiresAt
        }
      }
    }
  }
`);

/** Sends the task once, however often it is repeated. */
export const approveTaskDocument = graphql(`
  mutation ConsoleApproveTask($id: ID!) {
    approveTask(id: $id) {
      replayed
      submission {
        ...SentTask
      }
      errors {
        code
        message
      }
    }
  }
`);

export const declineTaskDocument = graphql(`
  mutation ConsoleDeclineTask($id: ID!, $reason: String) {
    declineTask(id: $id, reason: $reason) {
      replayed
      submission {
        ...SentTask
      }
      errors {
        code
        message
      }
    }
  }
`);
