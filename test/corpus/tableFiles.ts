// Files with tables in the encodings that programs write, with what they mean. `base64`: the bytes. `source`: where one was met.
import type { NoTable, TableEncoding } from "../../src/format/tables/decodeTable.ts";

export interface FileCase {
  what: string;
  base64: string;
  /** The encoding and the second line, the encodings of which one is asked for, or why it is no table. */
  right: { encoding: TableEncoding; line: string } | { fitting: readonly TableEncoding[] } | NoTable;
  source: string;
}

const github = (path: string) => `https://github.com/${path}`;

export const fileCases: FileCase[] = [
  {
    what: "GBK, as Chinese Excel saves CSV",
    base64: "0NXD+yzK1rv6usXC6yyzx8rQCsDuwNcsKzEyMDI1NTUwMTAxLMnPuqMKuqvDt8O3LCsxMjAyNTU1MDEwMiyxsb6pCg==",
    right: { encoding: "gb18030", line: "李雷,+12025550101,上海" },
    source: github("objectstack-ai/objectui/issues/2556"),
  },
  {
    what: "GB18030 with a character beyond GBK",
    base64: "0NXD+yzK1rv6usXC6yyzx8rQCsDugTnvMZU0sjUsKzEyMDI1NTUwMTAxLMnPuqMKuqvDt8O3LCsxMjAyNTU1MDEwMiyxsb6pCg==",
    right: { encoding: "gb18030", line: "李㐂𠮷,+12025550101,上海" },
    source: github("fuckcqcs/fuckcqcs/issues/159"),
  },
  {
    what: "UTF-8 with a byte order mark",
    base64:
      "77u/5aeT5ZCNLOaJi+acuuWPt+eggSzln47luIIK5p2O6Zu3LCsxMjAyNTU1MDEwMSzkuIrmtbcK6Z+p5qKF5qKFLCsxMjAyNTU1MDEwMizljJfkuqwK",
    right: { encoding: "utf-8", line: "李雷,+12025550101,上海" },
    source: github("dotCMS/core/issues/36508"),
  },
  {
    what: "UTF-8 without a mark",
    base64:
      "5aeT5ZCNLOaJi+acuuWPt+eggSzln47luIIK5p2O6Zu3LCsxMjAyNTU1MDEwMSzkuIrmtbcK6Z+p5qKF5qKFLCsxMjAyNTU1MDEwMizljJfkuqwK",
    right: { encoding: "utf-8", line: "李雷,+12025550101,上海" },
    source: github("objectstack-ai/objectui/pull/2557"),
  },
  {
    what: "UTF-16 with a mark and tabs, as Excel saves Unicode text",
    base64:
      "//7TWQ1UCQBLYjpn91MBeAkAzlcCXgoATmf3lgkAKwAxADIAMAAyADUANQA1ADAAMQAwADEACQAKTndtCgDpl4VohWgJACsAMQAyADAAMgA1ADUANQAwADEAMAAyAAkAF1OsTgoA",
    right: { encoding: "utf-16le", line: "李雷\t+12025550101\t上海" },
    source: github("adaltas/node-csv-parse/issues/250"),
  },
  {
    what: "UTF-16 with the other byte order",
    base64:
      "/v9Z01QNACxiS2c6U/d4AQAsV85eAgAKZ06W9wAsACsAMQAyADAAMgA1ADUANQAwADEAMAAxACxOCm13AAqX6WiFaIUALAArADEAMgAwADIANQA1ADUAMAAxADAAMgAsUxdOrAAK",
    right: { encoding: "utf-16be", line: "李雷,+12025550101,上海" },
    source: github("nao1215/filesql/pull/148"),
  },
  {
    what: "UTF-16 without a mark",
    base64:
      "01kNVCwAS2I6Z/dTAXgsAM5XAl4KAE5n95YsACsAMQAyADAAMgA1ADUANQAwADEAMAAxACwACk53bQoA6ZeFaIVoLAArADEAMgAwADIANQA1ADUAMAAxADAAMgAsABdTrE4KAA==",
    right: { encoding: "utf-16le", line: "李雷,+12025550101,上海" },
    source: github("microsoft/vscode-mssql/issues/774"),
  },
  {
    what: "Shift_JIS",
    base64:
      "joGWvCyTZJhilNSNhiyDgYOCCo5Sk2ODXoONg0UsKzEyMDI1NTUwMTAxLINKg16DSoNpCpfpltiDboNpg1IsKzEyMDI1NTUwMTAyLINlg1iDZ4tAjVwK",
    right: { encoding: "shift_jis", line: "山田タロウ,+12025550101,カタカナ" },
    source: github("EC-CUBE/ec-cube/issues/5252"),
  },
  {
    what: "Big5",
    base64: "qW2mVyy5cbjcuLm9WCyrsKWrCrOvpGqk5SwrMTIwMjU1NTAxMDEsu0+lXwqqTKz8xFIsKzEyMDI1NTUwMTAyLLCqtq8K",
    right: { encoding: "big5", line: "陳大文,+12025550101,臺北" },
    source: github("rajatim/zhtw/issues/14"),
  },
  {
    what: "Windows-1252",
    base64: "UHLpbm9tO1TpbOlwaG9uZQpab+k7KzEyMDI1NTUwMTAxCk118W96OysxMjAyNTU1MDEwMgo=",
    right: { encoding: "windows-1252", line: "Zoé;+12025550101" },
    source: github("adaptlearning/adapt_framework/issues/1097"),
  },
  {
    what: "Windows-1251",
    base64: "yOz/O9Ll6+X07u0KyOLg7TsrMTIwMjU1NTAxMDEKzODw6P87KzEyMDI1NTUwMTAyCg==",
    right: { encoding: "windows-1251", line: "Иван;+12025550101" },
    source: github("ldmco/Ksenmart/issues/67"),
  },
  {
    what: "EUC-KR, as Korean Excel saves CSV",
    base64: "wMy4pyzA/MitufjIoyy1tb3DCrHow7a89iwrMTIwMjU1NTAxMDEsvK2/7wrAzL+1yPEsKzEyMDI1NTUwMTAyLLrOu+oK",
    right: { encoding: "euc-kr", line: "김철수,+12025550101,서울" },
    source: github("SheetJS/sheetjs/issues/1677"),
  },
  {
    what: "EUC-KR with many names and a head in English",
    base64:
      "bmFtZSxwaG9uZSxjaXR5CrHow7a89iwrMTIwMjU1NTAxMDEsvK2/7wrAzL+1yPEsKzEyMDI1NTUwMTAyLLrOu+oKudq5zsHYLCsxMjAyNTU1MDEwMyy067G4CsPWvK2/rCwrMTIwMjU1NTAxMDQswM7DtQo=",
    right: { encoding: "euc-kr", line: "김철수,+12025550101,서울" },
    source: github("jawah/charset_normalizer/issues/356"),
  },
  {
    what: "one short Korean name, which may be Chinese",
    base64: "bmFtZSxwaG9uZQqx6MO2vPYsKzEyMDI1NTUwMTAxCg==",
    right: { fitting: ["gb18030", "euc-kr", "big5"] },
    source: github("filamentphp/filament/pull/12540"),
  },
  {
    what: "one short Chinese name, which may be Korean",
    base64: "bmFtZSxwaG9uZQrA7sDXLCsxMjAyNTU1MDEwMQo=",
    right: { fitting: ["gb18030", "euc-kr", "big5"] },
    source: github("objectstack-ai/objectui/issues/2556"),
  },
  {
    what: "GBK with a Chinese head above a short name",
    base64: "0NXD+yzK1rv6usUKwO7A1ywrMTIwMjU1NTAxMDEK",
    right: { encoding: "gb18030", line: "李雷,+12025550101" },
    source: github("objectstack-ai/objectui/issues/2556"),
  },
  {
    what: "Shift_JIS without kana",
    base64: "joGWvCyTZJhiCo5Sk2ORvphZLCsxMjAyNTU1MDEwMQqX6ZbYiOqYWSwrMTIwMjU1NTAxMDIK",
    right: { encoding: "shift_jis", line: "山田太郎,+12025550101" },
    source: github("EC-CUBE/ec-cube/issues/5252"),
  },
  {
    what: "Windows-1250",
    base64: "SW1p6jtUZWxlZm9uCqN1a2FzejsrMTIwMjU1NTAxMDEKr2FuZXRhOysxMjAyNTU1MDEwMgo=",
    right: { encoding: "windows-1250", line: "Łukasz;+12025550101" },
    source: github("fligtar/password-exporter/issues/20"),
  },
  {
    what: "Windows-1252, which another guess takes for Japanese",
    base64: "UHLpbm9tO1TpbOlwaG9uZQppbnZpdOng5/k7KzEyMDI1NTUwMTAxCg==",
    right: { encoding: "windows-1252", line: "invitéàçù;+12025550101" },
    source: github("polygonplanet/encoding.js/issues/12"),
  },
  {
    what: "Windows-1251 in capitals",
    base64: "yMzfO9LFy8XUzs0KyMLAzTsrMTIwMjU1NTAxMDEKzMDQyN87KzEyMDI1NTUwMTAyCg==",
    right: { encoding: "windows-1251", line: "ИВАН;+12025550101" },
    source: github("goodby/csv/issues/68"),
  },
  {
    what: "Windows-1252 of a German bank",
    base64: "TmFtZTtUZWxlZm9uCk38bGxlcjsrMTIwMjU1NTAxMDEKSuRnZXI7KzEyMDI1NTUwMTAyCkdyb987KzEyMDI1NTUwMTAzCg==",
    right: { encoding: "windows-1252", line: "Müller;+12025550101" },
    source: github("aniav/ynab-csv/issues/19"),
  },
  {
    what: "Turkish letters, which may be Central European",
    base64: "QWQ7VGVsZWZvbgrdYnJhaGltOysxMjAyNTU1MDEwMQre/Gty/DsrMTIwMjU1NTAxMDIK",
    right: { fitting: ["windows-1250", "windows-1254"] },
    source: github("TeamSQL/desktop-app/issues/26"),
  },
  {
    what: "an xlsx workbook with the name of a CSV file",
    base64: "UEsDBBQABgAIAAAAIQA=",
    right: "workbook",
    source: github("SEED-platform/seed/issues/2122"),
  },
  {
    what: "an old xls workbook",
    base64: "0M8R4KGxGuEAAAAAAAAAAA==",
    right: "workbook",
    source: github("t8y2/dbx/issues/9843"),
  },
  {
    what: "an HTML table that is named xls",
    base64: "PGh0bWw+PHRhYmxlPjx0cj48dGQ+KzEyMDI1NTUwMTAxPC90ZD48L3RyPjwvdGFibGU+PC9odG1sPg==",
    right: "page",
    source: github("Zodiac1978/plugin-report/issues/15"),
  },
  {
    what: "binary data",
    base64: "AQIAA2FiY2RlZmdoaWprbG1ub3BxcnN0dXZ3eHl6",
    right: "binary",
    source: github("ariburaco/chatgpt-file-uploader-extended/issues/10"),
  },
];
