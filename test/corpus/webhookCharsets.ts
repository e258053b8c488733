// Charsets that servers declare and send. Each with the address at which it was met, or "own".

export interface CharsetSample {
  contentType: string;
  /** The charset in which the body is sent; iconv's name. */
  sent: "gbk" | "utf-8" | "utf-16le" | "utf-16be" | "latin1" | "euc-kr" | "big5";
  text: string;
  /** False: nothing tells the charset, so that the delivery waits until someone names it. */
  isRead: boolean;
  source: string;
}

const ISSUES = "https://github.com";
const GBK = "application/json; charset=GBK";

export const charsets: readonly CharsetSample[] = [
  {
    contentType: GBK,
    sent: "gbk",
    text: "张三",
    isRead: true,
    source: `${ISSUES}/owasp-modsecurity/ModSecurity/issues/3347`,
  },
  {
    contentType: GBK,
    sent: "utf-8",
    text: "张三丰",
    isRead: true,
    source: `${ISSUES}/owasp-modsecurity/ModSecurity/issues/3347`,
  },
  // These two bytes are also valid UTF-8.
  { contentType: GBK, sent: "gbk", text: "模", isRead: true, source: `${ISSUES}/expressjs/body-parser/issues/205` },
  {
    contentType: 'application/json;charset="GB2312"',
    sent: "gbk",
    text: "系统繁忙",
    isRead: true,
    source: `${ISSUES}/smartwalle/alipay/pull/257`,
  },
  {
    contentType: "text/plain; format=flowed; charset=gb18030",
    sent: "gbk",
    text: "镕",
    isRead: true,
    source: `${ISSUES}/smartwalle/alipay/pull/257`,
  },
  {
    contentType: "application/json; charset=utf-8",
    sent: "gbk",
    text: "系统繁忙",
    isRead: false,
    source: `${ISSUES}/smartwalle/alipay/pull/257`,
  },
  {
    contentType: "application/json",
    sent: "gbk",
    text: "张三",
    isRead: false,
    source: `${ISSUES}/HoloInsight/holoinsight/issues/137`,
  },
  {
    contentType: "application/json",
    sent: "utf-16le",
    text: "测試",
    isRead: true,
    source: `${ISSUES}/expressjs/body-parser/pull/117`,
  },
  {
    contentType: "application/json; charset=UTF-16",
    sent: "utf-16be",
    text: "测試",
    isRead: true,
    source: `${ISSUES}/expressjs/body-parser/pull/117`,
  },
  {
    contentType: "application/json; charset=ISO-8859-1",
    sent: "latin1",
    text: "Müller",
    isRead: true,
    source: `${ISSUES}/tcplugins/tcWebHooks/issues/92`,
  },
  {
    contentType: "application/json; charset=ISO-8859-1",
    sent: "utf-8",
    text: "Müller 张",
    isRead: true,
    source: `${ISSUES}/tcplugins/tcWebHooks/issues/92`,
  },
  {
    contentType: "application/fhir+json; charset=iso8859-1",
    sent: "latin1",
    text: "Zoë",
    isRead: true,
    source: `${ISSUES}/coreruleset/coreruleset/issues/3527`,
  },
  {
    contentType: "application/json",
    sent: "latin1",
    text: "éèû",
    isRead: false,
    source: `${ISSUES}/OctopusDeploy/Library/pull/673`,
  },
  {
    contentType: "application/json; charset=X-WINDOWS-949",
    sent: "euc-kr",
    text: "한국",
    isRead: true,
    source: `${ISSUES}/expressjs/body-parser/issues/287`,
  },
  {
    contentType: "application/json; charset=UTF8",
    sent: "utf-8",
    text: "проверка",
    isRead: true,
    source: `${ISSUES}/expressjs/body-parser/issues/50`,
  },
  {
    contentType: "application/json; charset=utf-hack",
    sent: "utf-8",
    text: "проверка",
    isRead: true,
    source: `${ISSUES}/expressjs/body-parser/issues/440`,
  },
  {
    contentType: "application/json; charset=cp950",
    sent: "big5",
    text: "測試",
    isRead: true,
    source: `${ISSUES}/PowerShell/PowerShell/issues/17872`,
  },
  // UTF-8 that is declared as a charset of two bytes, and real ones.
  { contentType: "application/json; charset=GBK", sent: "utf-8", text: "张三", isRead: true, source: "own" },
  { contentType: "application/json; charset=GB2312", sent: "utf-8", text: "李", isRead: true, source: "own" },
  { contentType: "application/json; charset=gb18030", sent: "utf-8", text: "李雷韩梅梅", isRead: true, source: "own" },
  { contentType: "application/json; charset=Shift_JIS", sent: "utf-8", text: "田中", isRead: true, source: "own" },
  { contentType: "application/json; charset=cp932", sent: "utf-8", text: "あ", isRead: true, source: "own" },
  { contentType: "application/json; charset=EUC-KR", sent: "utf-8", text: "김철수", isRead: true, source: "own" },
  { contentType: "application/json; charset=big5", sent: "utf-8", text: "李雷", isRead: true, source: "own" },
  { contentType: "application/json; charset=euc-jp", sent: "utf-8", text: "東京", isRead: true, source: "own" },
  { contentType: "application/json; charset=GBK", sent: "gbk", text: "李雷韩梅梅，你好", isRead: true, source: "own" },
  { contentType: "application/json; charset=GBK", sent: "gbk", text: "咪咪", isRead: true, source: "own" },
  { contentType: "application/json; charset=EUC-KR", sent: "euc-kr", text: "김철수", isRead: true, source: "own" },
  { contentType: "application/json; charset=big5", sent: "big5", text: "李雷", isRead: true, source: "own" },
];
