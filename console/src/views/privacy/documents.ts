import { graphql } from "../../gql/index.ts";

/** `dryRun`: it only counts. */
export const forgetPhoneDocument = graphql(`
  mutation ConsoleForgetPhone($number: String!, $neverCall: Boolean!, $dryRun: Boolean!) {
    forgetPhone(number: $number, addToDoNotCall: $neverCall, dryRun: $dryRun) {
      calls
      events
      rawDeliveries
      recordings
      quarantined
      submissions
      proposals
    }
  }
`);

export const neverCallCountDocument = graphql(`
  query ConsoleNeverCallCount {
    doNotCall {
      count
    }
  }
`);

export const neverCallNumberDocument = graphql(`
  query ConsoleNeverCallNumber($number: String!) {
    doNotCall {
      contains(number: $number)
    }
  }
`);

export const addNeverCallDocument = graphql(`
  mutation ConsoleAddNeverCall($numbers: [String!]!) {
    addToDoNotCall(numbers: $numbers) {
      changed
      unreadable
    }
  }
`);

export const removeNeverCallDocument = graphql(`
  mutation ConsoleRemoveNeverCall($numbers: [String!]!) {
    removeFromDoNotCall(numbers: $numbers) {
      changed
      unreadable
    }
  }
`);
