// What a person should do when the worker ended with an error. Errors that pass do not end it: the client tries again.

/** @param {{ code: string, message: string }} error */
export function adviceFor({ code, message }) {
  switch (code) {
    case "UNAUTHENTICATED":
    case "AUTHORIZATION_FAILED":
      return "Put a valid key into the file that KEY_FILE names, and start the worker again.";
    case "FORBIDDEN":
      return "The key needs the scope calls:read.";
    case "CURSOR_INVALID":
      return "The database belongs to another gateway. Choose another DATABASE.";
    case "NETWORK":
    case "BAD_RESPONSE":
      return `The gateway was not reached. Check GATEWAY_URL and the proxy. ${message}`;
    default:
      return message;
  }
}
