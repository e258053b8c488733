import { graphql } from "../../../gql/index.ts";

export const historyImportDocument = graphql(`
  query ConsoleHistoryImport {
    gateway {
      lacksHistory
    }
    historyImport {
      state
      problem
      progress
      secondsLeft
      windows
      calls
      tooOld
      leftOut
    }
  }
`);

export const importHistoryDocument = graphql(`
  mutation ConsoleImportHistory($since: DateTime!) {
    importHistory(since: $since) {
      isNew
    }
  }
`);

export const cancelImportDocument = graphql(`
  mutation ConsoleCancelImport {
    cancelHistoryImport {
      state
    }
  }
`);
