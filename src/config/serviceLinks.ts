// Kubernetes sets variables for each Service of a namespace, as Docker did for links: a Service called `metrics` sets
// METRICS_PORT=tcp://10.0.0.1:9464. None of them is meant for the gateway.

/** SWITCHBOARD_SERVICE_HOST, SWITCHBOARD_SERVICE_PORT_HTTP, SWITCHBOARD_PORT_80_TCP_ADDR. */
const LINK_NAME = /_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$/;
const LINK_VALUE = /^(tcp|udp|sctp):\/\//i;

/** True: the variable was set for a Service. One of the gateway counts as not set then. */
export const isServiceLink = (name: string, value: string): boolean =>
  LINK_NAME.test(name) || (name.endsWith("_PORT") && LINK_VALUE.test(value));
