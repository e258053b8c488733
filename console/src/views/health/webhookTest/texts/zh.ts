import type { en } from "./en.ts";

export const zh: typeof en = {
  title: "Webhook 通路",
  hint: "测试请求与真实 webhook 一样,从本浏览器经前面的代理发往网关,不会写入日志。",
  elsewhere: (command) => `从其他电脑或向其他地址测试:${command}`,
  send: "发送测试 webhook",
  sending: "正在发送",
  failed: "未能生成测试。",
  arrived: (address, ms) => `已原样通过 ${address} 到达,用时 ${ms} 毫秒。`,
  lost: (address) => `未能通过 ${address} 到达。`,
  status: (status) => `状态码 ${status}。`,
  advice: {
    CHANGED: "到达时请求体已被改动。请让代理原样转发请求体。",
    HEADER_REFUSED:
      "Authorization 请求头被拒绝。请让代理保留该请求头且不要求自己的认证,并让其后的每个网关使用相同的 WEBHOOK_AUTHORIZATION。",
    WRONG_PATH: "该路径不接收 webhook。请让代理原样转发路径。",
    TOO_LARGE: "代理只接受更小的请求体。请放宽到 256 KiB(nginx 中为 client_max_body_size)。",
    HOST_REFUSED: "请求头部被拒绝。未配置密钥的网关只接受本机名称,且代理须原样转发 Host 请求头。",
    BUSY: "网关或代理正在启动或过于繁忙。请稍后再试。",
    REDIRECTED: "请求被重定向,而服务可能不会跟随。请把重定向后的地址填入服务。",
    OTHER_ANSWER: "应答的不是网关。请检查该地址指向哪里。",
    UNREACHABLE: "没有应答。请检查代理、网络和网关。",
  },
};
