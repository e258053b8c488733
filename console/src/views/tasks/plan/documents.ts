import { graphql } from "../../../gql/index.ts";

/** What createTask would do. It sends nothing. */
export const checkTaskDocument = graphql(`
  mutation ConsoleCheckTask($input: CheckTaskInput!) {
    checkTask(input: $input) {
      errors {
        code
        message
        path
      }
      people
      countries {
        countryCode
        people
      }
      schedule {
        ...Schedule
      }
      calledAgainFrom {
        leftOut {
          reason
          people
        }
        withoutVariables
      }
    }
  }

  fragment Schedule on TaskSchedule {
    timeZone
    startDate
    days
    periods {
      from
      to
      startsAt
      endsAt
    }
    begin
    startsAt
  }
`);

/** When a proposal would call, and whom. */
export const proposedPlanDocument = graphql(`
  query ConsoleProposedPlan($id: ID!) {
    taskSubmission(id: $id) {
      id
      proposal {
        countries {
          countryCode
          people
        }
        schedule {
          ...Schedule
        }
      }
    }
  }
`);
