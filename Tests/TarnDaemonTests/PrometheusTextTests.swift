import Testing

@testable import TarnDaemon

/// Figures as Prometheus' text format has them.
struct PrometheusTextTests {
    @Test
    func `a family has its help, its type and its samples`() {
        var page = PrometheusText()
        page.counter("tarnd_x_total", "What \\ is\nthis?", by: "kind", [("a\"b\\", 3), ("c", 0)])
        page.gauge("tarnd_y_bytes", "Bytes.", 1.5)
        page.gauge("tarnd_z", "Not told.", Int?.none)

        #expect(
            page.text == """
                # HELP tarnd_x_total What \\\\ is\\nthis?
                # TYPE tarnd_x_total counter
                tarnd_x_total{kind="a\\"b\\\\"} 3
                tarnd_x_total{kind="c"} 0
                # HELP tarnd_y_bytes Bytes.
                # TYPE tarnd_y_bytes gauge
                tarnd_y_bytes 1.5

                """)
    }

    @Test
    func `a histogram's buckets each hold what is at most so long`() {
        let histogram = Histogram()
        for time in [Duration.microseconds(400), .milliseconds(1), .milliseconds(2), .seconds(60)] {
            histogram.observe(time)
        }

        var page = PrometheusText()
        page.histogram("tarnd_x_seconds", "Times.", histogram.figures)

        let lines = page.text.split(separator: "\n")
        #expect(lines.contains("tarnd_x_seconds_bucket{le=\"0.0005\"} 1"))
        #expect(lines.contains("tarnd_x_seconds_bucket{le=\"0.001\"} 2"))
        #expect(lines.contains("tarnd_x_seconds_bucket{le=\"0.0025\"} 3"))
        #expect(lines.contains("tarnd_x_seconds_bucket{le=\"10\"} 3"))
        #expect(lines.contains("tarnd_x_seconds_bucket{le=\"+Inf\"} 4"))
        #expect(lines.contains("tarnd_x_seconds_sum 60.0034"))
        #expect(lines.contains("tarnd_x_seconds_count 4"))
    }

    @Test(arguments: [
        (0.0, "0"), (3, "3"), (0.25, "0.25"), (.infinity, "+Inf"), (-.infinity, "-Inf"),
        (.nan, "NaN"), (1_796_083_199.25, "1796083199.25"),
    ])
    func `numbers are written as Prometheus reads them`(number: Double, text: String) {
        #expect(number.metricText == text)
    }

    @Test
    func `a process has what the kernel tells of it`() {
        let figures = ProcessFigures.now()

        #expect(figures.cpuSeconds > 0)
        #expect(figures.residentBytes ?? 0 > 1 << 20)
        #expect(figures.virtualBytes ?? 0 > figures.residentBytes ?? 0)
        #expect((3...100_000).contains(figures.openDescriptors ?? 0))
        #expect(figures.descriptorsMax ?? 0 >= figures.openDescriptors ?? 0)
        let now = Double(WallClock.milliseconds) / 1000
        #expect((now - 7200...now).contains(figures.startSeconds ?? 0))
    }
}
