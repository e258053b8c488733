export const en = {
  title: "The way of webhooks",
  hint: "A test goes from this browser to the gateway, through the proxy in front, as a webhook does. It enters no log.",
  elsewhere: (command: string) => `From another computer, or to another address: ${command}`,
  send: "Send a test webhook",
  sending: "Sending",
  failed: "No test was made.",
  arrived: (address: string, ms: string) => `It came through ${address} as it was sent, in ${ms} ms.`,
  lost: (address: string) => `It did not come through ${address}.`,
  status: (status: string) => `Status ${status}.`,
  advice: {
    CHANGED: "It arrived with another body. Let the proxy pass bodies on as they are.",
    HEADER_REFUSED:
      "Its Authorization header was refused. Let the proxy keep the header and ask for none of its own, and give each gateway behind it the same WEBHOOK_AUTHORIZATION.",
    WRONG_PATH: "The path takes no webhooks. Let the proxy pass paths on unchanged.",
    TOO_LARGE: "The proxy takes smaller bodies only. Allow 256 KiB there, in nginx by client_max_body_size.",
    HOST_REFUSED:
      "Its head was refused. A gateway without keys takes names of its own machine only, and the proxy must pass the Host header on.",
    BUSY: "The gateway or a proxy starts, or has too much to do. Try again.",
    REDIRECTED:
      "It was redirected, which the service may not follow. Give the service the address that is redirected to.",
    OTHER_ANSWER: "Something else than the gateway answered. Check what the address leads to.",
    UNREACHABLE: "Nothing answered. Check the proxy, the network and the gateway.",
  },
};
