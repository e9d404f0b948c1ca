/* Pictures of a few curves: disk, network, pressure, kinds of memory. */
#include "render/pictures.h"

static struct jm_axis rates(int64_t top)
{
	return jm_axis_bytes(top, jm_format_rate);
}

static struct jm_axis bytes(int64_t top)
{
	return jm_axis_bytes(top, jm_format_bytes);
}

static struct jm_axis percents(int64_t top)
{
	return jm_axis_decimal(top, 10, jm_format_milli);
}

/* The job's own bytes; where they cannot be read, those of the machine's disks. */
static bool own_disk(const struct jm_report *r)
{
	return jm_series_known(&r->series.read_rate) || jm_series_known(&r->series.write_rate);
}

static const char *disk_subtitle(const struct jm_report *r)
{
	return own_disk(r) ? "bytes per second that reached storage; dashed: through system calls"
	                   : "bytes per second of all disks of the machine: the job's own are not known";
}

static size_t disk(const struct jm_report *r, struct jm_curve *c)
{
	if (!own_disk(r)) {
		c[0] = (struct jm_curve){ &r->series.disk_read_rate, JM_PAINT_0, "read", true, false };
		c[1] = (struct jm_curve){ &r->series.disk_write_rate, JM_PAINT_0 + 5, "written", true, false };
		return 2;
	}
	c[0] = (struct jm_curve){ &r->series.read_rate, JM_PAINT_0, "read from storage", true, false };
	c[1] = (struct jm_curve){ &r->series.write_rate, JM_PAINT_0 + 5, "written to storage", true, false };
	c[2] = (struct jm_curve){ &r->series.read_char_rate, JM_PAINT_0, "read by calls (dashed)", false, false };
	c[3] = (struct jm_curve){ &r->series.write_char_rate, JM_PAINT_0 + 5, "written by calls (dashed)", false,
		                  false };
	return 4;
}

static const char *network_subtitle(const struct jm_report *r)
{
	return jm_network_is_own(&r->network) ? "bytes per second through the job's own sockets, headers left out"
	                                      : "bytes per second on the machine's interfaces, whoever sent them";
}

static size_t network(const struct jm_report *r, struct jm_curve *c)
{
	c[0] = (struct jm_curve){ &r->series.received_rate, JM_PAINT_0, "received", true, false };
	c[1] = (struct jm_curve){ &r->series.sent_rate, JM_PAINT_0 + 5, "sent", true, false };
	return 2;
}

static const char *pressure_subtitle(const struct jm_report *r)
{
	return "part of the time in which some task waited for it";
}

static size_t pressure(const struct jm_report *r, struct jm_curve *c)
{
	c[0] = (struct jm_curve){ &r->series.pressure_cpu, JM_PAINT_0, "CPU", false, true };
	c[1] = (struct jm_curve){ &r->series.pressure_memory, JM_PAINT_0 + 3, "memory", false, true };
	c[2] = (struct jm_curve){ &r->series.pressure_io, JM_PAINT_0 + 5, "disk", false, true };
	return 3;
}

static const char *kinds_subtitle(const struct jm_report *r)
{
	return "the same memory counted in different ways";
}

static size_t kinds(const struct jm_report *r, struct jm_curve *c)
{
	c[0] = (struct jm_curve){ &r->series.rss, JM_PAINT_0 + 4, "RSS", false, true };
	c[1] = (struct jm_curve){ &r->series.pss, JM_PAINT_0 + 1, "PSS", false, true };
	c[2] = (struct jm_curve){ &r->series.uss, JM_PAINT_0 + 2, "USS", false, true };
	c[3] = (struct jm_curve){ &r->series.swap, JM_PAINT_0 + 3, "swap", false, true };
	return 4;
}

const struct jm_picture jm_picture_disk = { .id = "disk",
	                                    .title = "Disk",
	                                    .subtitle = disk_subtitle,
	                                    .curves = disk,
	                                    .axis = rates,
	                                    .height = 1500,
	                                    .narrow_height = 1400 };
const struct jm_picture jm_picture_network = { .id = "network",
	                                       .title = "Network",
	                                       .subtitle = network_subtitle,
	                                       .curves = network,
	                                       .axis = rates,
	                                       .height = 1200,
	                                       .narrow_height = 1200 };
const struct jm_picture jm_picture_pressure = { .id = "pressure",
	                                        .title = "Pressure",
	                                        .subtitle = pressure_subtitle,
	                                        .curves = pressure,
	                                        .axis = percents,
	                                        .height = 1100,
	                                        .narrow_height = 1100 };
const struct jm_picture jm_picture_kinds = { .id = "kinds",
	                                     .title = "RSS, PSS and USS",
	                                     .subtitle = kinds_subtitle,
	                                     .curves = kinds,
	                                     .axis = bytes,
	                                     .height = 1500,
	                                     .narrow_height = 1400,
	                                     .folded = true };
