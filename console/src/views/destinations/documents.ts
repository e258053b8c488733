import { graphql } from "../../gql/index.ts";

export const destinationsDocument = graphql(`
  query ConsoleDestinations {
    destinations {
      ...ConsoleDestination
    }
  }

  fragment ConsoleDestination on Destination {
    name
    kind
    getsCalls
    url
    order
    enabled
    state
    disabledFor
    cursor
    lag
    waitingAlerts
    failures
    failingSince
    secondsToNext
    delivered
    skipped
    waitingLetters
    deadLetters
    lastAnswer {
      at
      status
      text
    }
  }
`);

export const lettersDocument = graphql(`
  query ConsoleDestinationLetters($name: String!, $after: String) {
    destinationLetters(name: $name, first: 20, after: $after) {
      cursor
      attempts
      firstAt
      secondsToNext
      event {
        sessionId
        endAt
        caller
        callee
        answered
      }
      lastAnswer {
        at
        status
        text
      }
    }
  }
`);

export const pauseDocument = graphql(`
  mutation ConsolePauseDestination($name: String!) {
    pauseDestination(name: $name) {
      name
    }
  }
`);

export const resumeDocument = graphql(`
  mutation ConsoleResumeDestination($name: String!, $after: String, $since: DateTime) {
    resumeDestination(name: $name, after: $after, since: $since) {
      name
    }
  }
`);

export const testDocument = graphql(`
  mutation ConsoleTestDestination($name: String!) {
    testDestination(name: $name) {
      at
      status
      text
    }
  }
`);

export const sendLetterDocument = graphql(`
  mutation ConsoleSendLetter($name: String!, $cursor: String!) {
    sendDestinationLetter(name: $name, cursor: $cursor)
  }
`);
