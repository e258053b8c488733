import { graphql } from "../../../gql/index.ts";

export const createWebhookTestDocument = graphql(`
  mutation ConsoleWebhookTest {
    createWebhookTest {
      authorization
      path
      bytes
    }
  }
`);
