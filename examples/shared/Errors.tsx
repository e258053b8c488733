import { messageFor, type GatewayError } from "./messageFor.ts";

/** Each message once: one failure of the service may be an error of many fields. */
export function Errors({ errors }: { errors: readonly GatewayError[] }) {
  const messages = [...new Map(errors.map((error) => [error.code, messageFor(error)]))];
  return messages.map(([code, message]) => (
    <p key={code} role="alert" data-code={code}>
      {message}
    </p>
  ));
}
