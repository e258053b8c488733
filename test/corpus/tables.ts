// Tables of people as spreadsheets, address books, shops and databases write them, with what they mean. The numbers are of ranges that
// nobody can have. `source`: where a table of this form was met.
import { peopleTables } from "./peopleTables.ts";
import { A, NUMBER_A, NUMBER_B, tableCase, type TableCase } from "./tableCase.ts";

const buildTables: TableCase[] = [
  // What people type between the cells
  ...(["，", "；", "｜", "、"] as const).flatMap((separator) => [
    tableCase(
      `${separator} below a head`,
      "own",
      ["姓名", "电话"].join(separator) + `\nLi${separator}${NUMBER_A}\nWang${separator}${NUMBER_B}\n`,
      { separator },
    ),
    tableCase(`${separator} without a head`, "own", `Li${separator}${NUMBER_A}\nWang${separator}${NUMBER_B}\n`, {
      separator,
      head: 0,
      name: -1,
      people: [NUMBER_A, NUMBER_B],
    }),
    tableCase(
      `${separator} within the cells of a table with commas`,
      "own",
      ["Name,Phone,Note", `Li,${NUMBER_A},a${separator}b`, `Wang,${NUMBER_B},c${separator}d`],
      {},
    ),
  ]),
  // What stands between the cells
  tableCase(
    "two rows with semicolons",
    "iOfficeAI/OfficeCLI/issues/352",
    ["Name;Phone", `Li;${NUMBER_A}`, `Wang;${NUMBER_B}`, ""],
    { separator: ";" },
  ),
  tableCase("semicolons without a head", "CeON/fairchive/issues/2163", [`Li;${NUMBER_A}`, `Wang;${NUMBER_B}`, ""], {
    separator: ";",
    head: 0,
    name: -1,
    people: [NUMBER_A, NUMBER_B],
  }),
  tableCase(
    "amounts with a decimal comma between semicolons",
    "mholt/PapaParse/issues/290",
    ["Name;Phone;Amount", `Li;${NUMBER_A};-21.419,06`, `Wang;${NUMBER_B};37.996,97`],
    { separator: ";" },
  ),
  tableCase(
    "more commas than semicolons",
    "mholt/PapaParse/issues/804",
    ["Name;Phone;Tags", `Li;${NUMBER_A};a,b,c,d`, `Wang;${NUMBER_B};e,f,g,h`],
    { separator: ";" },
  ),
  tableCase(
    "commas in the head between semicolons",
    "mholt/PapaParse/issues/600",
    ["Name;Phone (with code, required);Tags (some, many, none)", `Li;${NUMBER_A};x`, `Wang;${NUMBER_B};y`],
    { separator: ";" },
  ),
  tableCase(
    "commas in the last of two columns",
    "mholt/PapaParse/issues/860",
    [`${NUMBER_A} ; a,b,c`, `${NUMBER_B} ; d,e,f`, "+12025550103 ; g"],
    { separator: ";", head: 0, number: 0, name: -1, people: [NUMBER_A, NUMBER_B, "+12025550103"] },
  ),
  tableCase(
    "commas in most rows and none in some",
    "TablePress/TablePress/issues/198",
    ["Name;Phone;Street", `Li;${NUMBER_A};5, Main`, `Wang;${NUMBER_B};Side`],
    { separator: ";" },
  ),
  tableCase(
    "decimal commas between tabs",
    "mholt/PapaParse/issues/1005",
    ["Name\tPhone\tAmount", `Li\t${NUMBER_A}\t120,5`, `Wang\t${NUMBER_B}\t50,3`],
    { separator: "\t" },
  ),
  tableCase(
    "thousands between tabs in a single row",
    "mholt/PapaParse/issues/60",
    ["Name\tPhone\tTotal", `Li\t${NUMBER_A}\t1,234,567`],
    { separator: "\t", people: [A] },
  ),
  tableCase(
    "columns that are filled with blanks",
    "mholt/PapaParse/issues/270",
    ["Name    ;Phone         ", `Li      ;${NUMBER_A}  `, `Wang    ;${NUMBER_B}  `],
    { separator: ";" },
  ),
  tableCase(
    "vertical bars with one at the end",
    "deephaven/deephaven-core/issues/1800",
    ["Name|Phone|", `Li|${NUMBER_A}|`, `Wang|${NUMBER_B}|`],
    { separator: "|" },
  ),
  tableCase(
    "a statement of the separator",
    "mechatroner/vscode_rainbow_csv/issues/108",
    ["sep=;", "Name;Phone", `Li;${NUMBER_A}`, `Wang;${NUMBER_B}`],
    { separator: ";" },
  ),
  tableCase(
    "a statement in quotes",
    "close2/csv/issues/68",
    ['"sep=;"', "Name;Phone;", `Li;${NUMBER_A};`, `Wang;${NUMBER_B};`],
    { separator: ";" },
  ),
  tableCase(
    "a statement over cells with other separators",
    "rap2hpoutre/fast-excel/issues/327",
    ["sep=|", "Name|Phone", `Li, Lei|${NUMBER_A}`, `Wang; Mei|${NUMBER_B}`],
    { separator: "|", people: [`${NUMBER_A} Li, Lei`, `${NUMBER_B} Wang; Mei`] },
  ),
  tableCase("one column of numbers", "buckets/application/issues/772", ["phone", NUMBER_A, NUMBER_B, ""], {
    separator: "",
    number: 0,
    name: -1,
    people: [NUMBER_A, NUMBER_B],
  }),
  tableCase(
    "two numbers in each cell, divided as cells are",
    "owncloud-archive/contacts/issues/818",
    [`Li,${NUMBER_A};+12025550103`, `Wang,${NUMBER_B};+12025550104`],
    { asks: ["separator"], people: [] },
  ),
  // Line ends
  tableCase(
    "line ends of an old Mac",
    "instedd/surveda/issues/145",
    `Name,Phone\rLi,${NUMBER_A}\rWang,${NUMBER_B}\r`,
    {},
  ),
  tableCase(
    "line ends of several systems",
    "dredge-bio/dredge/issues/72",
    `Name,Phone\r\nLi,${NUMBER_A}\nWang,${NUMBER_B}\r`,
    {},
  ),
  tableCase(
    "blank lines between and after",
    "instedd/verboice/issues/682",
    ["Name,Phone", "", `Li,${NUMBER_A}`, "", `Wang,${NUMBER_B}`, "", ""],
    {},
  ),
  // Heads
  tableCase(
    "a title above the head",
    "NBS-LLC/ng-spotify-importer/issues/268",
    ["ACME Library,", "Name,Phone", `Li,${NUMBER_A}`, `Wang,${NUMBER_B}`],
    { head: 2 },
  ),
  tableCase(
    "several lines of a report above the head",
    "sqlitebrowser/sqlitebrowser/issues/1554",
    ["Report of 2026-11-20", "", "Created by ops,,", "Name,Phone,City", `Li,${NUMBER_A},X`, `Wang,${NUMBER_B},Y`],
    { head: 4 },
  ),
  tableCase(
    "the encoding above the head",
    "mechatroner/vscode_rainbow_csv/issues/13",
    ["UTF-8", "Name,Phone", `Li,${NUMBER_A}`, `Wang,${NUMBER_B}`],
    { head: 2 },
  ),
  tableCase(
    "a control record with a head of its own",
    "i2van/CsvLINQPadDriver/issues/10",
    [
      "Format version\tStart\tSender",
      "5\t2022-06-01\tCompany",
      "Name\tPhone\tId",
      `Li\t${NUMBER_A}\t7`,
      `Wang\t${NUMBER_B}\t8`,
    ],
    { separator: "\t", head: 3 },
  ),
  tableCase("no head", "aniav/ynab-csv/issues/63", [`Li,${NUMBER_A}`, `Wang,${NUMBER_B}`], {
    head: 0,
    name: -1,
    people: [NUMBER_A, NUMBER_B],
  }),
  tableCase(
    "a first row that may be a head or a person",
    "Coursemology/coursemology2/issues/1943",
    ["Chen,none", `Li,${NUMBER_A}`, `Wang,${NUMBER_B}`],
    { asks: ["headRow"], name: -1, people: [] },
  ),
  tableCase(
    "a head in quotes after a byte order mark",
    "Agence-DnD/PIMGento/pull/75",
    ['\uFEFF"Name","Phone"', `"Li","${NUMBER_A}"`, `"Wang","${NUMBER_B}"`],
    {},
  ),
  tableCase(
    "the head again between the rows",
    "whitfin/s3-concat/issues/3",
    ["Name,Phone", `Li,${NUMBER_A}`, "Name,Phone", `Wang,${NUMBER_B}`],
    { left: ["3 label"] },
  ),
];

export const tableCases: readonly TableCase[] = [...buildTables, ...peopleTables];
