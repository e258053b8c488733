// The names of tasks and assistants, for lists and filters.
import { graphql } from "../gql/index.ts";

export const namesDocument = graphql(`
  query ConsoleNames {
    assistants(first: 100) {
      nodes {
        assistantId
        name
      }
    }
  }
`);

export const taskNamesDocument = graphql(`
  query ConsoleTaskNames($taskIds: [ID!]!) {
    tasksByIds(taskIds: $taskIds) {
      taskId
      name
    }
  }
`);

/** Asks the service for each task, so it is read when the list is opened. */
export const knownTasksDocument = graphql(`
  query ConsoleKnownTasks {
    tasks(first: 50) {
      nodes {
        taskId
        name
      }
    }
  }
`);
