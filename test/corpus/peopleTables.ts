// Tables of tables.ts whose columns, rows and quotes are hard to read.
import { oddTables } from "./oddTables.ts";
import { A, B, NUMBER_A, NUMBER_B, tableCase, type TableCase } from "./tableCase.ts";

export const peopleTables: TableCase[] = [
  // Columns
  tableCase(
    "ids under other numbers",
    "chatwoot/chatwoot/issues/3462",
    [
      "id,document_number,name,phone_number",
      `10000001,4401010001,Li,${NUMBER_A}`,
      `10000002,4401010002,Wang,${NUMBER_B}`,
    ],
    { number: 3, name: 2 },
  ),
  tableCase(
    "an account number and a company before the person",
    "invoiceninja/invoiceninja/issues/9669",
    ["Account Number,Company name,Name,Phone", `20250000001,ACME,Li,${NUMBER_A}`, `20250000002,ACME,Wang,${NUMBER_B}`],
    { number: 3, name: 2 },
  ),
  tableCase(
    "a name in two columns",
    "hizzle-co/noptin/issues/1122",
    ["last_name,first_name,mobile", `Lei,Li,${NUMBER_A}`, `Mei,Wang,${NUMBER_B}`],
    { number: 2, name: 1 },
  ),
  tableCase(
    "the types of numbers before numbers, and mostly empty others",
    "owncloud-archive/contacts/issues/827",
    [
      "Name,Given Name,Yomi Name,Nickname,Phone 1 - Type,Phone 1 - Value,Phone 2 - Type,Phone 2 - Value",
      `Li,Li,,,Mobile,${NUMBER_A},,`,
      `Wang,Wang,,,Mobile,${NUMBER_B},Home,+12025550103`,
      "Wu,Wu,,,Mobile,+12025550104,,",
    ],
    { number: 5, people: [A, B, "+12025550104 Wu"] },
  ),
  tableCase(
    "several numbers of each person",
    "Rillke/Contact-Conversion-Wizard/issues/26",
    [
      "Name,Vorname,Rufnummer Privat,Rufnummer Mobil",
      `Lei,Li,+12025550103,${NUMBER_A}`,
      `Mei,Wang,+12025550104,${NUMBER_B}`,
    ],
    { number: -1, asks: ["number"], people: [] },
  ),
  tableCase(
    "two columns of digits without a head",
    "cluster-software/agent-crm/issues/84",
    ["10000001,13800010001", "10000002,13800010002"],
    { head: 0, number: -1, name: -1, asks: ["number"], people: [] },
  ),
  tableCase(
    "a number of unknown meaning beside the mobile number",
    "ChurchCRM/CRM/issues/8285",
    ["name,zip,cell_phone", `Li,2000001,${NUMBER_A}`, `Wang,2000002,${NUMBER_B}`],
    { number: 2 },
  ),
  tableCase(
    "numbers of sales people beside those of people",
    "itdida/itdida-issues/issues/37",
    [
      "销售姓名,销售电话,姓名,身份证号码,手机号码",
      "Han,+12025550109,Li,440101000001010001,+12025550101",
      "Han,+12025550109,Wang,440101000001010002,+12025550102",
    ],
    { number: 4, name: 2 },
  ),
  tableCase(
    "a column that a program calls tel",
    "nyaruka/rapidpro/pull/1991",
    ["URN:tel,name", `${NUMBER_A},Li`, `${NUMBER_B},Wang`],
    { number: 0, name: 1 },
  ),
  tableCase(
    "columns of an address book in Russian",
    "owncloud-archive/contacts/issues/817",
    ["Имя;Фамилия;Телефон", `Li;Lei;${NUMBER_A}`, `Wang;Mei;${NUMBER_B}`],
    { separator: ";", number: 2 },
  ),
  tableCase(
    "columns in Japanese",
    "NIFCLOUD-mbaas/UserCommunity/issues/1216",
    ["氏名,電話番号", `Li,${NUMBER_A}`, `Wang,${NUMBER_B}`],
    {},
  ),
  // Rows
  tableCase(
    "fewer cells where the last are empty",
    "dilshod/xlsx2csv/issues/96",
    ["Name,Phone,Note", `Li,${NUMBER_A},x`, `Wang,${NUMBER_B}`],
    {},
  ),
  tableCase(
    "empty cells after the last column",
    "cidgoh/DataHarmonizer/issues/48",
    ["Name,Phone,,,", `Li,${NUMBER_A},,,`, `Wang,${NUMBER_B},,,`, ",,,,"],
    {},
  ),
  tableCase(
    "a name with the separator and without quotes",
    "fcfort/betterment-csv-chrome/issues/51",
    ["Phone,Name,City", `${NUMBER_A},Li,X`, `${NUMBER_B},Wang,Y`, "+12025550103,Wu,Lei,Z"],
    { number: 0, name: 1, left: ["4 cells"] },
  ),
  tableCase(
    "an address of several lines",
    "mholt/PapaParse/issues/1077",
    ["Name;Phone;Address", `Li;${NUMBER_A};"1, Main\nFloor 2"`, `Wang;${NUMBER_B};"2, Main\nFloor 3"`],
    { separator: ";" },
  ),
  tableCase(
    "a name of several lines",
    "XoopsX/legacy/pull/40",
    ["Name,Phone", `Li,${NUMBER_A}`, `Wang,${NUMBER_B}`, '"Wu\nLei",+12025550103'],
    { left: ["4 lines"] },
  ),
  // Quotes
  tableCase(
    "a quote without an end",
    "osiegmar/FastCSV/issues/173",
    ["Phone,Name", `${NUMBER_A},Li`, `${NUMBER_B},"Wang`, "+12025550103,Wu", "+12025550104,Xu"],
    { number: 0, name: 1, people: [A], left: ["3 openQuote"] },
  ),
  tableCase(
    "a curly quote at the end of a quoted cell",
    "cldf/csvw/issues/52",
    ["Phone,Name", `${NUMBER_A},Li`, `${NUMBER_B},“Wang”`, '+12025550103,"Wu”', "+12025550104,Xu"],
    { number: 0, name: 1, people: [A, `${NUMBER_B} “Wang”`], left: ["4 openQuote"] },
  ),
  tableCase(
    "a quote that ends rows later",
    "tototoshi/scala-csv/issues/18",
    ["Phone,Name,Note", `${NUMBER_A},Li,`, `${NUMBER_B},"Wang,x`, '+12025550103,Wu",y', "+12025550104,Xu,"],
    { number: 0, name: 1, people: [A, "+12025550104 Xu"], left: ["3 swallowed"] },
  ),
  tableCase(
    "words after a closing quote",
    "adaltas/node-csv-parse/issues/273",
    ["Phone,Name", `${NUMBER_A},Li`, `${NUMBER_B},"Wang" Mei`, '"+12025550103",Wu', "+12025550104,Xu"],
    { number: 0, name: 1, people: [A, "+12025550104 Xu"], left: ["3 quotes"] },
  ),
  tableCase(
    "a quote for inches in the middle of a cell",
    "max-mapper/binary-csv/issues/7",
    ["Phone,Name,Item", `${NUMBER_A},Li,screen 16"`, `${NUMBER_B},Wang,screen 12"`],
    { number: 0, name: 1 },
  ),
  tableCase(
    "formulas that keep cells as text",
    "iota-uz/iota-sdk/pull/1080",
    ["Name,Phone", `="Li","=""${NUMBER_A}"""`, `Wang,="${NUMBER_B}"`],
    {},
  ),
  tableCase(
    "apostrophes that keep cells as text",
    "odoo/odoo/issues/99995",
    ["Name,Phone", `Li,'${NUMBER_A}`, `Wang,'${NUMBER_B}`],
    {},
  ),
  // People
  tableCase(
    "numbers that a spreadsheet rounded",
    "alphagov/notifications-admin/pull/4124",
    ["Name,Phone", `Li,${NUMBER_A}`, "Wu,4.47700E+11", `Wang,${NUMBER_B}`],
    { left: ["3 rounded"] },
  ),
  tableCase(
    "one number with blanks in one of two rows",
    "instedd/surveda/issues/852",
    ["+12025550101", "+12025 550101", "+12025550102"],
    { separator: "", head: 0, number: 0, name: -1, people: [NUMBER_A, NUMBER_B], left: ["2 duplicate"] },
  ),
  tableCase(
    "one person with and without country code",
    "VenomVendor/DeduplicateSMS/issues/9",
    ["Name,Phone", `Li,${NUMBER_A}`, "Li,(202) 555-0101", `Wang,${NUMBER_B}`],
    { left: ["3 duplicate"] },
  ),
  ...oddTables,
];
