import type { Client } from "graphql-ws";
import { useState } from "react";
import { graphql, RelayEnvironmentProvider, useLazyLoadQuery } from "react-relay";
import { Errors } from "../../shared/Errors.tsx";
import { KeyForm, useKey } from "../../shared/KeyForm.tsx";
import type { GatewayError } from "../../shared/messageFor.ts";
import type { AppViewerQuery } from "./__generated__/AppViewerQuery.graphql.ts";
import { CallList } from "./CallList.tsx";
import { connect } from "./connect.ts";
import { Guard } from "./Guard.tsx";
import { NewTask } from "./NewTask.tsx";

const GATEWAY_URL = import.meta.env.VITE_GATEWAY_URL ?? "http://127.0.0.1:4000";

export function App() {
  const [key, saveKey] = useKey();
  return (
    <main>
      <h1>Calls</h1>
      <KeyForm onKey={saveKey} />
      {key !== null && <Session key={key} gatewayKey={key} />}
    </main>
  );
}

/** Another key gets an environment of its own, so no answer of the former viewer is left in a store. */
function Session({ gatewayKey }: { gatewayKey: string }) {
  const [errors, setErrors] = useState<GatewayError[]>([]);
  const [{ environment, socket }] = useState(() => connect(GATEWAY_URL, gatewayKey, setErrors));
  return (
    <RelayEnvironmentProvider environment={environment}>
      <Errors errors={errors} />
      <Guard>
        <Desk socket={socket} />
      </Guard>
    </RelayEnvironmentProvider>
  );
}

function Desk({ socket }: { socket: Client }) {
  const { viewer } = useLazyLoadQuery<AppViewerQuery>(
    graphql`
      query AppViewerQuery {
        viewer {
          name
          scopes
        }
      }
    `,
    {},
  );
  return (
    <>
      <p>
        Signed in as {viewer.name} ({viewer.scopes.join(", ")}).
      </p>
      <CallList socket={socket} />
      {viewer.scopes.includes("tasks:create") && <NewTask viewer={viewer.name} />}
    </>
  );
}
