import { graphql } from "../gql/index.ts";

export const sessionDocument = graphql(`
  query ConsoleSession {
    viewer {
      name
      scopes
    }
    serviceTimeZone
  }
`);
