// Tables of people with rarer heads, line ends and separators: the form of the cases is that of tables.ts.
import { B, NUMBER_A, NUMBER_B, tableCase, type TableCase } from "./tableCase.ts";

export const oddTables: readonly TableCase[] = [
  // Heads
  ...["Mobile No.", "Phone No", "Contact No.", "手机No", "WhatsApp No", "No. Telp", "No HP"].map((head) =>
    tableCase(`a head in ${head}`, "own", [`Name,${head},Order No`, `Li,${NUMBER_A},5`, `Wang,${NUMBER_B},6`], {}),
  ),
  ...["Order No", "Emergency Contact No", "Account No", "Étel"].map((head) =>
    tableCase(
      `numbers under ${head} beside phone numbers`,
      "own",
      [`Name,Phone,${head}`, `Li,${NUMBER_A},+12025550103`, `Wang,${NUMBER_B},+12025550104`],
      {},
    ),
  ),
  tableCase(
    "zero-width characters in the head",
    "gocarina/gocsv/issues/242",
    ["\u200bName\u200b,\u200bPhone", `Li,${NUMBER_A}`, `Wang,${NUMBER_B}`],
    {},
  ),
  tableCase(
    "a byte order mark within the head",
    "opengovsg/postmangovsg/pull/88",
    ["\ufeff\ufeffName,\ufeffPhone", `Li,${NUMBER_A}`, `Wang,${NUMBER_B}`],
    {},
  ),
  tableCase(
    "no-break spaces in the head",
    "NHSDigital/manage-vaccinations-in-schools/pull/3410",
    ["Full\u00a0name\u00a0,\u00a0Phone\u00a0number", `Li,${NUMBER_A}`, `Wang,${NUMBER_B}`],
    {},
  ),
  ...["Naam", "Nama Lengkap", "Navn", "Imię i nazwisko", "Ad Soyad", "Họ và tên", "الاسم", "नाम", "ชื่อ", "お客様名"].map(
    (head) => tableCase(`a name under ${head}`, "own", [`${head},Phone`, `Li,${NUMBER_A}`, `Wang,${NUMBER_B}`], {}),
  ),
  // Line ends of other systems, where there is no other one
  ...["\u0085", "\u2028", "\u2029", "\u001e"].map((end) =>
    tableCase(
      `the line end U+${end.charCodeAt(0).toString(16)}`,
      "own",
      ["Name,Phone", `Li,${NUMBER_A}`, `Wang,${NUMBER_B}`].join(end),
      {},
    ),
  ),
  tableCase(
    "a line separator within a cell",
    "own",
    ["Name,Phone,Note", `Li,${NUMBER_A},a\u2028b`, `Wang,${NUMBER_B},c`],
    {},
  ),
  tableCase(
    "unit separators between the cells",
    "own",
    ["Name\u001fPhone", `Li\u001f${NUMBER_A}`, `Wang\u001f${NUMBER_B}`],
    { separator: "", number: 0, name: -1, people: [], left: ["2 control", "3 control"] },
  ),
  tableCase(
    "several lines and commas in quotes between semicolons",
    "mholt/PapaParse/issues/681",
    `Name;Phone;Note\nLi;${NUMBER_A};"F\ni,e,l,d\n,3"\nWang;${NUMBER_B};"x"`,
    { separator: ";" },
  ),
  tableCase(
    "a semicolon at the end of some rows, and commas in dates",
    "mechatroner/vscode_rainbow_csv/issues/134",
    ["Date;Phone;Name;State;", `April 15, 2026;${NUMBER_A};Li;pending;`, `April 14, 2026;${NUMBER_B};Wang;`],
    { separator: ";", name: 2 },
  ),
  tableCase(
    "a backslash before the closing quote",
    "Gnucash/gnucash-docs/pull/361",
    ["Name,Phone,Path", `Li,${NUMBER_A},"C:\\dir\\"`, `Wang,${NUMBER_B},"D:\\"`],
    {},
  ),
  tableCase(
    "quotes with a backslash before them",
    "shawnlaffan/biodiverse/issues/708",
    ['"Phone","Name"', `"${NUMBER_A}","\\"Li\\""`, `"${NUMBER_B}","Wang"`, '"+12025550103","Wu"'],
    { number: 0, name: 1, people: ["+12025550103 Wu"], left: ["2 quotes"] },
  ),
  tableCase(
    "a tab within a cell",
    "SheetJS/sheetjs/issues/732",
    ["Name,Phone", `"Li\tLei",${NUMBER_A}`, `Wang,${NUMBER_B}`],
    { people: [`${NUMBER_A} Li\tLei`, B] },
  ),
  tableCase(
    "slashes at the ends of cells",
    "adaptlearning/adapt_framework/pull/2857",
    [`"a-05/title/","${NUMBER_A}"`, `"a-10/title/","${NUMBER_B}"`],
    { head: 0, name: -1, people: [NUMBER_A, NUMBER_B] },
  ),
  tableCase(
    "two phones of a person in columns of an address book",
    "owncloud-archive/contacts/issues/817",
    [
      "Name,Given Name,Phone 1 - Type,Phone 1 - Value,Phone 2 - Type,Phone 2 - Value",
      `Li,Li,Mobile,${NUMBER_A},Work,+12025550103`,
      `Wang,Wang,Mobile,${NUMBER_B},,`,
    ],
    { number: 3 },
  ),
  tableCase(
    "semicolons and a decimal point",
    "securo-finance/securo/pull/113",
    ["date;name;phone;amount", `15/01/2026;Li;${NUMBER_A};-120.50`, `16/01/2026;Wang;${NUMBER_B};-1.00`],
    { separator: ";", number: 2, name: 1 },
  ),
];
