// Times that other programs write where there was no time, and times that no call can have. Each with the address at which it was met.

export interface TimeSample {
  value: unknown;
  /** The IANA zone of the service's wall clock. */
  zone?: string;
  /** "never": there was no such time. "unread": it cannot be believed. Otherwise the instant. */
  reads: string;
  source: string;
}

const ISSUES = "https://github.com";

export const times: readonly TimeSample[] = [
  // Go's zero time, which is also .NET's least one.
  { value: "0001-01-01T00:00:00Z", reads: "never", source: `${ISSUES}/cgrates/cgrates/issues/1564` },
  { value: "0001-01-01 00:00:00", reads: "never", source: `${ISSUES}/cgrates/cgrates/issues/119` },
  { value: "0001-01-01 00:00:00 +0000 UTC", reads: "never", source: `${ISSUES}/relvacode/iso8601/pull/1` },
  {
    value: "0001-01-01T00:00:00",
    reads: "never",
    source: "https://learn.microsoft.com/dotnet/api/system.datetime.minvalue",
  },
  { value: "0001-01-01 00:00:00.000", reads: "never", source: `${ISSUES}/dataplat/dbatools/issues/1128` },
  {
    value: "0000-12-31T15:00:00+09:00",
    reads: "never",
    source: "https://newbe.dev/why-can-datetime-minvalue-not-be-serialized-in-timezones-ahead-of-utc",
  },
  { value: "0000-11-30T00:00:00Z", reads: "never", source: `${ISSUES}/spali/go-rscp/issues/17` },
  { value: -62_135_596_800, reads: "never", source: `${ISSUES}/qri-io/starlib/pull/52` },
  { value: "-62135596800", reads: "never", source: `${ISSUES}/qri-io/starlib/pull/52` },
  { value: -62_135_596_800_000, reads: "never", source: `${ISSUES}/qri-io/starlib/pull/52` },
  {
    value: "9999-12-31T23:59:59Z",
    reads: "never",
    source: "https://reference.opcfoundation.org/Core/Part6/v104/docs/5.4.2.5",
  },
  {
    value: "9999-12-31T23:59:59.9999999",
    reads: "never",
    source: "https://learn.microsoft.com/dotnet/api/system.datetime.maxvalue",
  },
  { value: "9999-12-31 00:00:00", reads: "never", source: `${ISSUES}/bcgov/mds/pull/524` },
  {
    value: "9999-12-31 23:59:59",
    zone: "America/New_York",
    reads: "never",
    source: `${ISSUES}/psycopg/psycopg/issues/1251`,
  },
  { value: "9999-12-31", reads: "never", source: `${ISSUES}/xtdb/xtdb/issues/2749` },
  // MySQL's zero date, and what other languages make of it.
  { value: "0000-00-00 00:00:00", reads: "never", source: `${ISSUES}/matomo-org/tag-manager/pull/198` },
  { value: "0000-00-00", reads: "never", source: `${ISSUES}/OPSnet/Gazelle/issues/67` },
  { value: "0000-00-00T00:00:00.000Z", reads: "never", source: `${ISSUES}/EQAditu/AdvancedCombatTracker/issues/115` },
  { value: "-0001-11-30 00:00:00", reads: "never", source: `${ISSUES}/bolt/bolt/issues/7918` },
  { value: "-0001-11-30T00:00:00+00:00", reads: "never", source: `${ISSUES}/nZEDb/nZEDb/pull/2622` },
  { value: "1899-11-30", reads: "never", source: `${ISSUES}/volosoft/jtable/issues/1447` },
  { value: "1899-11-30 00:00:00", reads: "never", source: `${ISSUES}/volosoft/jtable/issues/1447` },
  // The epoch, in any zone.
  { value: "1970-01-01T00:00:00Z", reads: "never", source: `${ISSUES}/Quartz/bad-data-guide/pull/31` },
  { value: "1969-12-31T23:59:59Z", reads: "never", source: `${ISSUES}/Quartz/bad-data-guide/pull/31` },
  {
    value: "1970-01-01 08:00:00",
    zone: "Asia/Shanghai",
    reads: "never",
    source: `${ISSUES}/yii2tech/spreadsheet/issues/24`,
  },
  { value: "1970-01-01 08:00:00", zone: "UTC", reads: "never", source: `${ISSUES}/yii2tech/spreadsheet/issues/24` },
  { value: "1970-01-01T08:00:00.100", reads: "never", source: `${ISSUES}/apache/iotdb/issues/2199` },
  {
    value: "1969-12-31 19:00:00",
    zone: "America/New_York",
    reads: "never",
    source: `${ISSUES}/ManifoldScholar/manifold/issues/554`,
  },
  { value: "1969-12-31T16:00:00-08:00", reads: "never", source: `${ISSUES}/ManifoldScholar/manifold/issues/554` },
  { value: "1970-01-01", reads: "never", source: `${ISSUES}/nodejs/security-wg/pull/463` },
  { value: "1970/01/01 08:00:00", reads: "never", source: `${ISSUES}/yii2tech/spreadsheet/issues/24` },
  { value: "1970-01-01 08:00", reads: "never", source: `${ISSUES}/nicusX/moodle-mod_attendanceregister/issues/19` },
  { value: "1970-01-01 08:00:00.0", reads: "never", source: `${ISSUES}/dbeaver/dbeaver/pull/41166` },
  { value: "1970-01-01 00:00:00 +0000 UTC", reads: "never", source: `${ISSUES}/micromdm/micromdm/pull/185` },
  { value: "1970-01-01T00:00:00Z[UTC]", reads: "never", source: `${ISSUES}/wireapp/wire-ios-transport/pull/35` },
  { value: 0, reads: "never", source: `${ISSUES}/nicusX/moodle-mod_attendanceregister/issues/19` },
  { value: "0", reads: "never", source: `${ISSUES}/grafana/mimir/pull/6883` },
  { value: "0.0", reads: "never", source: `${ISSUES}/grafana/mimir/pull/6883` },
  { value: "0000000000", reads: "never", source: `${ISSUES}/grafana/mimir/pull/6883` },
  { value: -1, reads: "never", source: `${ISSUES}/blinklabs-io/dingo/pull/599` },
  { value: "-1", reads: "never", source: `${ISSUES}/blinklabs-io/dingo/pull/599` },
  // Day 0 of spreadsheets, databases and file systems.
  { value: "1899-12-30", reads: "never", source: `${ISSUES}/microsoft/Power-Fx/issues/1707` },
  { value: "1899-12-30T00:00:00", reads: "never", source: `${ISSUES}/CirrusRedOrg/EntityFrameworkCore.Jet/pull/214` },
  {
    value: "1899-12-30 08:05:43",
    zone: "Asia/Shanghai",
    reads: "never",
    source: `${ISSUES}/exceljs/exceljs/issues/2615`,
  },
  { value: "1899-12-31T00:00:00Z", reads: "never", source: `${ISSUES}/bizhuka/xtt/pull/12` },
  { value: "1900-01-01 00:00:00.000", reads: "never", source: `${ISSUES}/Quartz/bad-data-guide/pull/31` },
  { value: "1904-01-01T00:00:00Z", reads: "never", source: `${ISSUES}/MicrosoftDocs/OfficeDocs-Support/issues/161` },
  { value: "1601-01-01T00:00:00Z", reads: "never", source: `${ISSUES}/pstirparo/utils/issues/1` },
  { value: "1601-01-01 08:00:00", zone: "Asia/Shanghai", reads: "never", source: `${ISSUES}/pstirparo/utils/issues/1` },
  { value: "1753-01-01T00:00:00", reads: "never", source: "https://taourl.com/read-2965520.html" },
  { value: "1980-01-01 00:00:00", reads: "never", source: `${ISSUES}/pstirparo/utils/issues/1` },
  { value: "2000-01-01T00:00:00Z", reads: "never", source: `${ISSUES}/lionheart/openradar-mirror/issues/14414` },
  { value: "2001-01-01T00:00:00Z", reads: "never", source: `${ISSUES}/gnustep/libs-gui/pull/521` },
  // Words for nothing.
  { value: "null", reads: "never", source: `${ISSUES}/telefonicaid/iotagent-node-lib/pull/1536` },
  { value: "NULL", reads: "never", source: `${ISSUES}/TablePlus/TablePlus/issues/309` },
  { value: "Invalid date", reads: "never", source: `${ISSUES}/milroyfraser/sarala/issues/31` },
  { value: "Invalid Date", reads: "never", source: `${ISSUES}/porsager/postgres/issues/728` },
  { value: "infinity", reads: "never", source: `${ISSUES}/porsager/postgres/pull/1184` },
  { value: "-infinity", reads: "never", source: `${ISSUES}/supabase-community/postgrest-csharp/issues/41` },
  { value: "<nil>", reads: "never", source: "https://pkg.go.dev/fmt" },
  { value: "NaT", reads: "never", source: "https://pandas.pydata.org/docs/reference/api/pandas.NaT.html" },
  { value: "None", reads: "never", source: "https://docs.python.org/3/library/constants.html" },
  { value: "undefined", reads: "never", source: `${ISSUES}/RenovoSolutions/TypeScript-Angular-Utilities/pull/139` },
  { value: "Never", reads: "never", source: `${ISSUES}/nicusX/moodle-mod_attendanceregister/issues/19` },
  { value: "-", reads: "never", source: `${ISSUES}/WebVella/WebVella-ERP/issues/30` },
  { value: "N/A", reads: "never", source: `${ISSUES}/WebVella/WebVella-ERP/issues/30` },
  { value: "  ", reads: "never", source: `${ISSUES}/fusionpbx/fusionpbx/pull/4049` },
  // Before the service had a call.
  { value: "1972-06-30T23:59:59Z", reads: "unread", source: `${ISSUES}/Quartz/bad-data-guide/pull/31` },
  { value: "1926-11-20 09:30:00", reads: "unread", source: `${ISSUES}/ExcelDataReader/ExcelDataReader/issues/709` },
  { value: "2009-02-13T23:31:30Z", reads: "unread", source: `${ISSUES}/shogo82148/go-webntp/pull/45` },
  { value: 1_234_567_890, reads: "unread", source: `${ISSUES}/shogo82148/go-webntp/pull/45` },
  { value: "1000-01-01", reads: "unread", source: `${ISSUES}/OPSnet/Gazelle/issues/67` },
  // Times that look alike and are real.
  { value: "2019-05-21T12:25:46Z", reads: "2019-05-21T12:25:46.000Z", source: `${ISSUES}/cgrates/cgrates/issues/1564` },
  { value: "2016-07-08T00:13:50.76Z", reads: "2016-07-08T00:13:50.760Z", source: `${ISSUES}/golang/go/issues/27021` },
  {
    value: "2020-01-01 00:00:00",
    zone: "UTC",
    reads: "2020-01-01T00:00:00.000Z",
    source: `${ISSUES}/dbeaver/dbeaver/issues/9734`,
  },
  { value: 1_607_224_431, reads: "2020-12-06T03:13:51.000Z", source: `${ISSUES}/apache/iotdb/issues/2199` },
];
